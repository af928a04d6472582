// Two pixels for each work-item: layers over each other, front to back, in 8-bit arithmetic.
ushort scaled(ushort a, ushort b) {
    const uint product = (uint)a * b + 128;
    return (product + (product >> 8)) >> 8;
}

__kernel void blend(__global const uchar2 *layers, __global uchar2 *picture, int pixels, int depth) {
    int sum = 0;
    for (int side = 0; side < 2; side++) {
        const int pixel = 2 * get_global_id(0) + side;
        ushort light = 0, through = 255;
        for (int layer = 0; layer < depth; layer++) {
            const uchar2 raw = layers[layer * pixels + pixel];
            const ushort alpha = scaled(raw.y, through);
            if (alpha == 0)
                continue;
            light += scaled(raw.x, alpha);
            through -= alpha;
        }
        sum += light;
        picture[pixel] = (uchar2)(light, sum / 2);
    }
}
