/* Planted: the tile is read as it was written, so that nothing is transposed. */
kernel void transposed(global const float *in, global float *out) {
  local float tile[8][8];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[y * 8 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float value = tile[y][x];
  out[y * 8 + x] = value;
}
