kernel void stencil(global float *out, global const float *in, int width, int height, float keep) {
  local float tile[10][10];
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  int left = x - lx - 1, top = y - ly - 1;
  for (int k = ly * 8 + lx; k < 100; k += 64) {
    int row = k / 10, column = k % 10;
    int from_x = clamp(left + column, 0, width - 1);
    int from_y = clamp(top + row, 0, height - 1);
    tile[row][column] = in[from_y * width + from_x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float middle = tile[ly + 1][lx + 1];
  float north = tile[ly][lx + 1], south = tile[ly + 2][lx + 1];
  float west = tile[ly + 1][lx], east = tile[ly + 1][lx + 2];
  float around = (north + south + west + east) * 0.25f;
  float change = around - middle;
  float next = middle + keep * change;
  int at = y * width + x;
  out[at] = next;
}
