// The discrete cosine transform of 8 x 8 blocks, rows then columns.
kernel void cosine_transform(global const float *in, global float *out) {
  local float block[8][8], rows[8][8];
  int x = get_local_id(0), y = get_local_id(1);
  int at = (get_group_id(0) * 64) + y * 8 + x;
  block[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += block[y][k] * cospi((2 * k + 1) * x / 16.0f);
  rows[y][x] = sum * (x == 0 ? 0.35355339f : 0.5f);
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += rows[k][x] * cospi((2 * k + 1) * y / 16.0f);
  out[at] = sum * (y == 0 ? 0.35355339f : 0.5f);
}
