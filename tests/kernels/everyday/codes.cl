// Parallel entropy decoding: each work-item decodes its own chunk of a bit stream with a canonical
// Huffman code, whose tables it derives from the code lengths of the symbols.

#define SYMBOLS 12
#define LONGEST 5

typedef struct {
    global const uchar *bytes;
    uint window;
    int available;
    int consumed;
} reader_t;

inline uint next_bit(reader_t *reader)
{
    if (reader->available == 0) {
        reader->window = *reader->bytes++;
        reader->available = 8;
    }
    reader->available--;
    reader->consumed++;
    return reader->window >> reader->available & 1;
}

kernel void codes(global const uchar *stream, global const uchar *lengths,
                    const int chunk_bytes, const int max_symbols,
                    global uchar *decoded, global int4 *summary)
{
    const int gid = get_global_id(0);

    uchar count[LONGEST + 1];
    uchar length_of[SYMBOLS];
    for (int i = 0; i <= LONGEST; i++)
        count[i] = 0;
    int space = 1 << LONGEST;
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        int length = (lengths[symbol] & 3) + 2;
        int share = 1 << (LONGEST - length);
        if (share > space)
            length = 0;                                 // a symbol that does not occur
        else
            space -= share;
        length_of[symbol] = length;
        count[length]++;
    }

    uchar ordered[SYMBOLS];
    int placed = 0;
    for (int length = 2; length <= LONGEST; length++) {
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            if (length_of[symbol] == length)
                ordered[placed++] = symbol;
        }
    }

    reader_t reader;
    reader.bytes = stream + gid * chunk_bytes;
    reader.window = 0;
    reader.available = 0;
    reader.consumed = 0;
    const int limit = chunk_bytes * 8 - LONGEST;
    int symbols = 0, errors = 0;
    uint checksum = 1;
    while (symbols < max_symbols && reader.consumed <= limit) {
        int code = 0;
        int first = 0;
        int index = 0;
        int symbol = -1;
        for (int length = 1; length <= LONGEST; length++) {
            code |= next_bit(&reader);
            int available = count[length];
            if (code - first < available) {
                symbol = ordered[index + code - first];
                break;
            }
            index += available;
            first = (first + available) << 1;
            code <<= 1;
        }
        if (symbol < 0) {
            if (++errors > 2)
                break;
            continue;
        }
        decoded[gid * max_symbols + symbols] = symbol;
        checksum = checksum * 31 + symbol;
        symbols++;
    }
    summary[gid] = (int4)(symbols, reader.consumed, errors, (int)checksum);
}
