kernel void transpose(global float *out, global const float *in, int width, int height) {
  local float tile[8][9];
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  if (x < width && y < height) {
    float own = in[y * width + x];
    tile[ly][lx] = own;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int to_x = get_group_id(1) * 8 + lx, to_y = get_group_id(0) * 8 + ly;
  if (to_x < height && to_y < width) {
    float moved = tile[lx][ly];
    int at = to_y * height + to_x;
    out[at] = moved;
  }
}
