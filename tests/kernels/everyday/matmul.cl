kernel void matmul(global float *c, global const float *a, global const float *b, int n, local float *ta, local float *tb) {
  int col = get_global_id(0), row = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 8) {
    ta[ly * 8 + lx] = a[row * n + t + lx];
    tb[ly * 8 + lx] = b[(t + ly) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) {
      float left = ta[ly * 8 + k];
      float right = tb[k * 8 + lx];
      sum += left * right;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int at = row * n + col;
  c[at] = sum;
}
