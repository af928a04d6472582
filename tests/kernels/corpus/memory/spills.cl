// More live values than registers: the compiler has to spill.
#define SIZE 12
kernel void spills(global const float *a, global const float *b, global float *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float left[SIZE * SIZE], sum[SIZE * SIZE];
#pragma unroll
  for (int k = 0; k < SIZE * SIZE; ++k) {
    left[k] = a[k * n + i];
    sum[k] = 0.0f;
  }
#pragma unroll
  for (int row = 0; row < SIZE; ++row)
#pragma unroll
    for (int k = 0; k < SIZE; ++k) {
      float value = b[row * SIZE + k];
#pragma unroll
      for (int column = 0; column < SIZE; ++column)
        sum[row * SIZE + column] += value * left[k * SIZE + column];
    }
#pragma unroll
  for (int k = 0; k < SIZE * SIZE; ++k) out[k * n + i] = sum[k] - left[k];
}
