// As many values as 256 registers hold and 128 do not: compiled for large register files.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void large_grf(global const int *p, global int *out, int rounds) {
  int i = get_global_id(0);
  int8 v[10];
  #pragma unroll
  for (int k = 0; k < 10; k++) v[k] = ((global const int8 *)p)[k] + i * k;
  for (int round = 0; round < rounds; round++) {
    #pragma unroll
    for (int k = 0; k < 10; k++) v[k] = v[k] * v[(k + 3) % 10] + round;
  }
  int8 sum = 0;
  #pragma unroll
  for (int k = 0; k < 10; k++) sum += v[k] ^ k;
  ((global int8 *)out)[i] = sum;
}
