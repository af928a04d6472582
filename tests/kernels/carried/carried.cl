// Values that loops carry: whole numbers, numbers with a point, chosen on two ways, and loaded.
kernel void mixed(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value = value * 1664525u + 1013904223u;
    value ^= value >> 7;
    out[(gid + i) & 1023] = value;
  }
}
kernel void floats(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0);
  float value = gid;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value = value > 20.0f ? value - 16.5f : value + 3.25f;
    out[(gid + i) & 1023] = as_uint(value);
  }
}
kernel void ways(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = gid;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    if (value & 1) {
      value = 3 * value + 1;
      out[(gid + i) & 1023] = i;
    } else {
      value >>= 1;
    }
    out[(gid + i) & 1023] = value;
  }
}
kernel void sums(global uint *out, global const uint *in, uint n) {
  uint gid = get_global_id(0), value = 0;
#pragma nounroll
  for (uint i = 0; i < n; i++) {
    value += in[(gid + i) & 1023];
    out[(gid + i) & 1023] = value;
  }
}
