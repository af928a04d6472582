// Loops that lanes leave in the middle, or that halve or double what they count by.
kernel void escapes(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0);
  float value = gid * 0.125f;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    float square = value * value;
    if (square > 4000.0f)
      break;
    value = value * 1.1f + square;
    out[(gid + i) & 1023] = as_uint(value);
  }
}
kernel void counts(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid, i = 0;
#pragma nounroll
  while (i < n) {
    uint rest = value & 7;
    if (rest == 5)
      break;
    value = value * 3 + rest;
    out[(gid + i) & 1023] = value;
    i++;
  }
}
kernel void halves(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (uint s = 32; s > in[0]; s >>= 1) {
    value = value * 3 + s;
    out[(gid + s) & 1023] = value;
  }
}
kernel void doubles(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (int s = 1; s < 16 * n; s *= 2) {
    value = value * 3 + s;
    out[(gid + s) & 1023] = value;
  }
}
