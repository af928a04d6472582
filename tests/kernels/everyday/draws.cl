// Draws distinct cards for a game of patience, and plays them by a small set of rules.
enum phase { OPENING, BUILDING, STUCK };

typedef struct {
    ushort piles[4];
    uchar placed;
    uchar passed;
    uchar longest;
    uchar phase;
} table_t;

uint draw(uint *state, ulong *drawn)
{
    uint card;
    do {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        card = (*state >> 8) % 40;
    } while (*drawn >> card & 1);
    *drawn |= 1UL << card;
    return card;
}

uint only_highest(uint bits, int wanted)
{
    while (popcount(bits) > wanted)
        bits &= bits - 1;
    return bits;
}

kernel void draws(global const uint *seeds, global table_t *tables, global uint *scores,
                  int most, int rounds)
{
    const int id = get_global_id(0);
    uint state = seeds[id] | 1;
    uint score = 0;
    for (int round = 0; round < rounds; round++) {
        ulong drawn = 1;
        const uint first = draw(&state, &drawn);
        const uint second = draw(&state, &drawn);
        const uint pair = 1u << (first % 10) | 1u << (second % 10);
        const uint kept = only_highest(pair | (state & 0x3ff), 2);
        score += kept * (round + 1);
    }

    table_t table = {{0, 0, 0, 0}, 0, 0, 0, OPENING};
    enum phase phase = OPENING;
    uint cards = state;
    uint run = 0;
    for (int turn = id % 3; turn + 2 <= most && phase != STUCK; turn += 2) {
        const uint card = cards >> 28;
        cards = cards << 3 | cards >> 29;
        switch (phase) {
        case OPENING:
            if (card < 10) {
                table.placed++;
                run = 1;
                phase = BUILDING;
            }
            break;
        case BUILDING:
            if (card > 12) {
                table.passed++;
                phase = table.passed > 2 ? STUCK : OPENING;
            } else {
                run = card & 1 ? run + 1 : 0;
                table.longest = max(table.longest, (uchar)run);
            }
            break;
        default:
            break;
        }
        score += card;
    }
    table.phase = (uchar)phase;
    tables[id] = table;
    scores[id] = score;
}
