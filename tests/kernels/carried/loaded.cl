// Loops that load what they carry on: numbers of several sizes, gathered, on one of two ways.
constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
kernel void dots(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0);
  global const float *a = (global const float *)in;
  float value = 0.5f;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value = a[(gid + i) & 1023] * 0.25f + value * 0.5f;
    out[(gid + i) & 1023] = as_uint(value);
  }
}
kernel void gathers(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value = in[(in[value & 1023] + i) & 1023] ^ value >> 3;
    out[(gid + i) & 1023] = value;
  }
}
kernel void sizes(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = 0;
  global const uchar *bytes = (global const uchar *)in;
  global const short *shorts = (global const short *)in;
  global const ulong *longs = (global const ulong *)in;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value += bytes[(gid + 3 * i) & 4095] + shorts[(gid + i) & 2047] + (uint)(longs[(gid + i) & 511] >> 32);
    out[(gid + i) & 1023] = value;
  }
}
kernel void choices(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    if ((value + i) & 1)
      value += in[(value + i) & 1023];
    else
      value = value * 5 + 1;
    out[(gid + i) & 1023] = value;
  }
}
kernel void vectors(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
  global const uint4 *fours = (global const uint4 *)in;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    uint4 four = fours[(gid + i) & 255];
    value = value * 3 + four.x - four.w;
    out[(gid + i) & 1023] = value;
  }
}
kernel void own(global uint *out, global uint *in, uint n) {
  uint gid = get_global_id(0), value = 0;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value += out[(gid + i) & 1023];
    out[(gid + i) & 1023] = value + in[0];
  }
}
kernel void tables(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value = value * 2 + table[(gid + i) & 7];
    out[(gid + i) & 1023] = value;
  }
}
