// A radix sort of 64 keys of a work-group, four bits at a time, stable.
kernel void radix_sort(global uint *keys, global uint *values) {
  local uint key[2][64], value[2][64], counts[16], starts[16];
  uint l = get_local_id(0), i = get_global_id(0), now = 0;
  key[0][l] = keys[i];
  value[0][l] = values[i];
  for (uint shift = 0; shift < 32; shift += 4, now ^= 1) {
    if (l < 16) counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint digit = key[now][l] >> shift & 15, rank = 0;
    atomic_inc(&counts[digit]);
    for (uint k = 0; k < l; ++k) rank += (key[now][k] >> shift & 15) == digit;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) {
      uint sum = 0;
      for (uint k = 0; k < l; ++k) sum += counts[k];
      starts[l] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key[now ^ 1][starts[digit] + rank] = key[now][l];
    value[now ^ 1][starts[digit] + rank] = value[now][l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  keys[i] = key[now][l];
  values[i] = value[now][l];
}
