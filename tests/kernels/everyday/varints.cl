// Reads packets, each of which begins with a number of seven bits a byte: a run of one value, or
// values of few bits. Any of them may be cut off, or have a value that is not in the table.
enum State { FINE, CUT_OFF, NOT_IN_TABLE };

typedef struct {
    __global const uchar *bytes;
    uint at;
    uint end;
} Reader;

bool read_number(Reader *in, uint *number)
{
    uint result = 0;
    uint shift = 0;
    while (in->at < in->end && shift < 28) {
        const uchar part = in->bytes[in->at++];
        result |= (uint)(part & 0x7f) << shift;
        if (!(part & 0x80)) {
            *number = result;
            return true;
        }
        shift += 7;
    }
    return false;
}

__kernel void varints(__global const uchar *bytes, __global const int *table, __global int *sums,
                      __global int *states, uint size, uint entries, uint wanted)
{
    const uint index = get_global_id(0);
    Reader in;
    in.bytes = bytes + index * size;
    in.at = 0;
    in.end = size;
    const uint width = 1 + in.bytes[in.at++] % 6;
    const uint mask = (1u << width) - 1u;
    uint count = 0;
    int sum = 0;
    int state = FINE;

    while (state == FINE && count < wanted) {
        uint header;
        if (!read_number(&in, &header)) {
            state = CUT_OFF;
            break;
        }
        const uint left = wanted - count;
        if (header & 1) {
            const uint run = min((header >> 1) * 4u, left);
            ulong buffer = 0;
            uint bits = 0;
            for (uint i = 0; i < run; i++) {
                if (bits < width) {
                    if (in.at >= in.end) {
                        state = CUT_OFF;
                        break;
                    }
                    buffer |= (ulong)in.bytes[in.at++] << bits;
                    bits += 8;
                }
                const uint entry = (uint)buffer & mask;
                buffer >>= width;
                bits -= width;
                if (entry >= entries) {
                    state = NOT_IN_TABLE;
                    break;
                }
                sum += table[entry];
                count++;
            }
        } else {
            const uint run = min(header >> 1, left);
            if (in.at >= in.end) {
                state = CUT_OFF;
                continue;
            }
            const uint entry = in.bytes[in.at++] & mask;
            const int value = entry < entries ? table[entry] : 0;
            for (uint i = 0; i < run; i++) {
                sum += value;
                count++;
            }
        }
    }
    sums[index] = sum + (int)count;
    states[index] = state;
}
