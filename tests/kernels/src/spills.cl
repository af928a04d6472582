// More values than registers, and a private array whose elements no compiler can name: spills, and
// private memory beside them.
kernel void spills(global const int *p, global int *out, int rounds) {
  int i = get_global_id(0);
  int table[300];
  for (int k = 0; k < 300; k++) table[k] = p[(k * 7 + i) & 255];
  int16 v[12];
  #pragma unroll
  for (int k = 0; k < 12; k++) v[k] = ((global const int16 *)p)[k] + i * k;
  for (int round = 0; round < rounds; round++) {
    #pragma unroll
    for (int k = 0; k < 12; k++) v[k] = v[k] * v[(k + 5) % 12] + table[(round * 11 + i) % 300];
  }
  int16 sum = 0;
  #pragma unroll
  for (int k = 0; k < 12; k++) sum += v[k] ^ k;
  ((global int16 *)out)[i] = sum;
}
