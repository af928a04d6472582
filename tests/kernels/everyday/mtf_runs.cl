// The stage of a block compressor between the Burrows-Wheeler transform and the entropy coder, for
// DNA: move-to-front, then runs of zeros as digits RUNA and RUNB of a bijective base 2. Each
// work-item has a block; the symbols of all are counted for the coder's tables.

#define BLOCK 7
#define LETTERS 5
#define RUN_A 0
#define RUN_B 1
#define END_OF_BLOCK (LETTERS + 1)
#define SYMBOLS (END_OF_BLOCK + 1)

// The list of recently used letters: 4 bits each, the last used one lowest.
typedef uint recent_list;

struct encoder {
    __global uchar *out;
    uint histogram;      // 4 bits for each symbol
    ushort used;
    ushort run;
};

uchar letter_of(uchar raw)
{
    if (raw >= 240)
        return 4;  // N
    return raw & 3;
}

int find_letter(recent_list list, uchar letter)
{
    int position = 0;
    while (((list >> (4 * position)) & 15) != letter)
        position++;
    return position;
}

recent_list move_to_front(recent_list list, int position)
{
    const uint shift = 4 * position;
    const uint letter = (list >> shift) & 15;
    const uint newer = list & ((1u << shift) - 1);
    const uint older = list & ~((16u << shift) - 1);
    return older | (newer << 4) | letter;
}

void put(struct encoder *encoder, uchar symbol)
{
    encoder->out[encoder->used] = symbol;
    encoder->used++;
    encoder->histogram += 1u << (4 * symbol);
}

void flush_run(struct encoder *encoder)
{
    uint run = encoder->run;
    while (run > 0) {
        if (run & 1) {
            put(encoder, RUN_A);
            run = (run - 1) / 2;
        } else {
            put(encoder, RUN_B);
            run = (run - 2) / 2;
        }
    }
    encoder->run = 0;
}

uint code_bits(uchar symbol)
{
    switch (symbol) {
    case RUN_A:
    case RUN_B:
        return 2;
    case 2:
        return 3;
    case END_OF_BLOCK:
        return 6;
    default:
        return 4;
    }
}

__kernel void mtf_runs(__global const uchar *blocks, __global uchar *encoded,
                       __global ushort4 *sizes, __global uint *counts, uint valid_bytes,
                       uchar similar)
{
    const uint block = get_global_id(0);
    const uint first = block * BLOCK;
    if (first >= valid_bytes)
        return;
    const uint length = min(valid_bytes - first, (uint)BLOCK);

    struct encoder encoder;
    encoder.out = encoded + block * (BLOCK + 1);
    encoder.histogram = 0;
    encoder.used = 0;
    encoder.run = 0;

    recent_list recent = 0x43210;
    uchar last = 0;
    ushort longest = 0;
    for (uint i = 0; i < length; i++) {
        const uchar raw = blocks[first + i];
        const uchar letter = raw < similar ? last : letter_of(raw);
        last = letter;
        const int position = find_letter(recent, letter);
        if (position == 0) {
            encoder.run++;
            longest = max(longest, encoder.run);
            continue;
        }
        flush_run(&encoder);
        put(&encoder, (uchar)(position + 1));
        recent = move_to_front(recent, position);
    }
    flush_run(&encoder);
    put(&encoder, END_OF_BLOCK);

    uint bits = 0;
    for (uchar symbol = 0; symbol < SYMBOLS; symbol++) {
        const uint count = (encoder.histogram >> (4 * symbol)) & 15;
        if (count == 0)
            continue;
        bits += count * code_bits(symbol);
        atomic_add(&counts[symbol], count);
    }

    const ushort packed = (ushort)((bits + 7) / 8);
    const ushort saved = length > packed ? (ushort)(length - packed) : 0;
    sizes[block] = (ushort4)(encoder.used, packed, saved, longest);
}
