// A sweep of Gauss and Seidel over the red or the black points of a grid, in place, and how much it has changed.
kernel void red_black(global float *grid, global const float *right, global float *change, int width, int height, int colour, float omega) {
  local float changes[16];
  const int lid = get_local_id(0);
  const int row = get_global_id(0) + 1;
  float most = 0.0f;
  if (row < height - 1) {
    int offset = (row + colour) & 1;
    for (int col = 1 + offset; col < width - 1; col += 2) {
      int at = row * width + col;
      float old = grid[at];
      float sum = grid[at - 1] + grid[at + 1] + grid[at - width] + grid[at + width];
      float next = 0.25f * (sum - right[at]);
      float step = omega * (next - old);
      grid[at] = old + step;
      most = fmax(most, fabs(step));
    }
  }
  changes[lid] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = get_local_size(0) / 2; half_ > 0; half_ >>= 1) {
    if (lid < half_)
      changes[lid] = fmax(changes[lid], changes[lid + half_]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    change[get_group_id(0)] = changes[0];
}
