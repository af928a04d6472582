// How much heat a cell gains through its four faces, and the fastest flow: walls
// let through what their own temperature says.
__kernel void faces(__global const float *heat, __global float2 *gains, float wall, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int here = y * width + x;
    const float mine = heat[here];
    float gain = 0.0f;
    float fastest = 0.0f;
    for (int side = 0; side < 4; side++) {
        const int step = side & 1 ? 1 : -1;
        const int nx = side < 2 ? x + step : x;
        const int ny = side < 2 ? y : y + step;
        if (ny < 0 || ny >= height)
            continue;
        const bool outside = nx < 0 || nx >= width;
        const float theirs = outside ? wall : heat[ny * width + nx];
        const float mean = 0.5f * (mine + theirs);
        const float flow = (theirs - mine) * fmax(mean, 0.1f);
        gain += flow;
        fastest = fmax(fastest, fabs(flow));
    }
    gains[here] = (float2)(gain, fastest);
}
