// A seven-point stencil over a volume, with the plane in local memory.
kernel void stencil3d(global const float *in, global float *out, int depth) {
  local float plane[10][10];
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, stride = w * h, at = y * w + x;
  for (int z = 1; z + 1 < depth; ++z) {
    int here = z * stride + at;
    barrier(CLK_LOCAL_MEM_FENCE);
    plane[ly][lx] = in[here];
    if (lx == 1) plane[ly][0] = x > 0 ? in[here - 1] : 0.0f;
    if (lx == 8) plane[ly][9] = x + 1 < w ? in[here + 1] : 0.0f;
    if (ly == 1) plane[0][lx] = y > 0 ? in[here - w] : 0.0f;
    if (ly == 8) plane[9][lx] = y + 1 < h ? in[here + w] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[here] = 0.4f * plane[ly][lx] + 0.1f * (plane[ly][lx - 1] + plane[ly][lx + 1] +
                plane[ly - 1][lx] + plane[ly + 1][lx] + in[here - stride] + in[here + stride]);
  }
}
