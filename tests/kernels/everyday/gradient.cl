// How steep an image is at each of its pixels: the filter of Sobel, of their luminance.
static float luma(float4 c) { return 0.299f * c.x + 0.587f * c.y + 0.114f * c.z; }

__kernel void gradient(__global const float4 *in, __global float *out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  int at = y * width + x;
  float gx = 0, gy = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int nx = clamp(x + dx, 0, width - 1);
      int ny = clamp(y + dy, 0, height - 1);
      float value = luma(in[ny * width + nx]);
      gx += dx * value;
      gy += dy * value;
    }
  float strength = sqrt(gx * gx + gy * gy);
  bool edge = strength > 1.0f;
  out[at] = edge ? strength : 0.0f;
}
