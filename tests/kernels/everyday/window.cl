// Sums over a window of two rows of four, with weights, and another one of its odd
// columns only: both loops are unrolled.
__kernel void window(__global const float *in, __global float2 *out, float first) {
    const int x = get_global_id(0);
    float sum = first;
    float odd = 0.0f;
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 4; column++) {
            const float value = in[(x + 4 * row + column) & 31];
            const float half_more = value * 1.5f;
            if (column & 1)
                odd = odd * 0.5f + half_more;
            sum += value * (float)column;
        }
    }
    out[x] = (float2)(sum, odd);
}
