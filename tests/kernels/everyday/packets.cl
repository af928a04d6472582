// Packets of 16 bytes, scrambled in rounds that are counted down, and the mean of each.
__kernel void packets(__global const uint *seeds, __global const uchar *text, __global uchar *sealed,
                      __global float *means, __global half *parts, float scale, int rounds) {
    const uint id = get_global_id(0);
    const uint4 seed = vload4(id & 7, seeds);
    uint state[9];
    vstore4(seed, 0, state);
    vstore4(seed.wzyx ^ id, 1, state);
    uint4 a = seed, b = seed.yzwx;
    for (int round = rounds; round > 0; round -= 2) {
        a += b;
        b = rotate(b ^ a, (uint4)(7));
        b = b.yzwx;
    }
    vstore3(a.xyz + b.xyz, 2, state);
    uint sum = 1;
    for (uint i = 0; i < 16; i++) {
        uchar key = (uchar)(state[i >> 1] >> ((i & 3) * 8));
        uchar out = text[id * 16 + i] ^ key;
        sealed[id * 16 + i] = out;
        sum = (sum + out) % 65521u;
    }
    float whole;
    float part = modf((float)(sum & 1023) * scale, &whole);
    vstore_half(part, id, parts);
    means[id] = whole + vload_half(id, parts);
}
