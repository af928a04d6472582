/* Soft decision Viterbi decoder, rate 1/2, constraint length 3 (7, 5 octal).
   One block of STEPS symbols per work-item. */
#define STATES 4
#define STEPS 20
#define POLY_A 7u
#define POLY_B 5u

inline short branch_metric(uint reg, char2 soft)
{
    short a = (popcount(reg & POLY_A) & 1u) ? soft.x : -soft.x;
    short b = (popcount(reg & POLY_B) & 1u) ? soft.y : -soft.y;
    return a + b;
}

__kernel void decoder(__global const char *symbols,
                      __global uint *decoded,
                      __global short *quality,
                      __global uchar *flips,
                      uint blocks)
{
    uint block = get_global_id(0);
    if (block >= blocks) return;

    short metric[STATES];
    uchar decisions[STEPS];
    metric[0] = 0;
    for (uint s = 1; s < STATES; ++s)
        metric[s] = -1000;

    for (uint t = 0; t < STEPS; ++t) {
        char2 soft = vload2(block * STEPS + t, symbols) / (char2)(4);
        short fresh[STATES];
        uchar bits = 0;
        for (uint s = 0; s < STATES; ++s) {
            uint from0 = (s << 1) & 3u;
            uint from1 = from0 | 1u;
            uint input = s >> 1;
            short m0 = metric[from0] + branch_metric((input << 2) | from0, soft);
            short m1 = metric[from1] + branch_metric((input << 2) | from1, soft);
            if (m1 > m0) {
                fresh[s] = m1;
                bits |= (uchar)(1u << s);
            } else {
                fresh[s] = m0;
            }
        }
        decisions[t] = bits;
        for (uint s = 0; s < STATES; ++s)
            metric[s] = fresh[s];
    }

    uint state = 0;
    short best = metric[0];
    for (uint s = 1; s < STATES; ++s) {
        if (metric[s] <= best) continue;
        best = metric[s];
        state = s;
    }

    uint word = 0;
    int t = STEPS;
    do {
        --t;
        word |= (state >> 1) << t;
        state = ((state << 1) & 3u) | ((decisions[t] >> state) & 1u);
    } while (t > 0);

    /* Encode again, to count the hard decisions that were corrected. */
    uchar wrong = 0;
    uint reg = 0;
    for (uint i = 0; i < STEPS; ++i) {
        reg = (reg >> 1) | (((word >> i) & 1u) << 2);
        if (branch_metric(reg, vload2(block * STEPS + i, symbols) / (char2)(4)) < 0)
            wrong++;
    }

    decoded[block] = word;
    quality[block] = best;
    flips[block] = wrong;
}
