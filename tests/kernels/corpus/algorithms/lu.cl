// LU decomposition of a 16 x 16 matrix by one work-group; one row for each work-item.
kernel void lu(global float *matrix) {
  local float m[16][17];
  int row = get_local_id(0);
  global float *own = matrix + get_group_id(0) * 256 + row * 16;
  for (int k = 0; k < 16; ++k) m[row][k] = own[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 15; ++k) {
    if (row > k) {
      float factor = m[row][k] / m[k][k];
      m[row][k] = factor;
      for (int j = k + 1; j < 16; ++j) m[row][j] -= factor * m[k][j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int k = 0; k < 16; ++k) own[k] = m[row][k];
}
