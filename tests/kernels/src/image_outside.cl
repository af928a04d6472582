// Coordinates outside the image: reads give what the format says, writes nothing.
kernel void outside(read_only image2d_t from, read_only image3d_t volume, write_only image2d_t to,
                    write_only image2d_array_t layers, global float4 *values) {
  int i = get_global_id(0);
  int2 p = (int2)(i - 8, i % 5 - 2);
  const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  values[i] = read_imagef(from, border, p);
  values[i + get_global_size(0)] = read_imagef(volume, border, (int4)(p, i - 4, 0));
  write_imagef(to, p, (float4)(i));
  write_imagef(layers, (int4)(p, i - 3, 0), (float4)(i));
}
