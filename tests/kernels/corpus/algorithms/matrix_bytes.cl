// A tiled product of matrices of bytes, summed in 32 bits.
kernel void matrix_bytes(global const char *a, global const char *b, global int *c, int n) {
  local char left[8][8], right[8][8];
  int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), column = get_global_id(0);
  int sum = 0;
  for (int tile = 0; tile < n; tile += 8) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
