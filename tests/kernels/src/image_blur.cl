// What people write: a separable filter, a luminance histogram and a transposition.
constant sampler_t kEdge =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void blur(read_only image2d_t from, write_only image2d_t to, constant float *weights,
                 int radius) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = (float4)(0.0f);
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += weights[abs(dy) * (radius + 1) + abs(dx)] * read_imagef(from, kEdge, p + (int2)(dx, dy));
  write_imagef(to, p, sum);
}
kernel void luminance(read_only image2d_t from, global uint *histogram) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  if (p.x < get_image_width(from) && p.y < get_image_height(from)) {
    uint4 c = read_imageui(from, p);
    atomic_inc(&histogram[(c.x * 2 + c.y * 5 + c.z) >> 3]);
  }
}
kernel void resize(read_only image2d_t from, sampler_t how, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 size = convert_float2(get_image_dim(to));
  write_imagef(to, p, read_imagef(from, how, (convert_float2(p) + 0.5f) / size));
}
