// Smooths an image of four channels but for its edges.
kernel void bilateral(global const uchar4 *in, global uchar4 *out, int width, int height, int radius,
                      float space, float range) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (at.x >= width || at.y >= height)
    return;
  const float4 centre = convert_float4(in[at.y * width + at.x]);
  float4 sum = (float4)(0.0f);
  float norm = 0.0f;
  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      int px = clamp(at.x + dx, 0, width - 1);
      int py = clamp(at.y + dy, 0, height - 1);
      float4 pixel = convert_float4(in[py * width + px]);
      float4 difference = pixel - centre;
      float distance = dx * dx + dy * dy;
      float colour = dot(difference.xyz, difference.xyz);
      float weight = native_exp(-distance * space - colour * range);
      sum += pixel * weight;
      norm += weight;
    }
  }
  float4 mean = sum / norm;
  mean.w = centre.w;
  out[at.y * width + at.x] = convert_uchar4_sat_rte(mean);
}
