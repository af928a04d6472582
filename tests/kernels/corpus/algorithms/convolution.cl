// A 5 x 5 convolution of bytes with integer weights, clamped to the edge.
constant int kKernel[25] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36,
                            24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};
kernel void convolution(global const uchar *in, global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  int sum = 128;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += kKernel[(dy + 2) * 5 + dx + 2] *
             in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
  out[y * width + x] = convert_uchar_sat(sum >> 8);
}
