/* Planted: the sum of a row begins with that of the row before. */
kernel void not_reset(global const float *in, global float *out) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int row = 0; row < 2; ++row) {
    for (int k = 0; k < 3; ++k)
      sum += in[(i * 2 + row) * 3 + k];  /* guilty */
    out[i * 2 + row] = sum;
  }
}
