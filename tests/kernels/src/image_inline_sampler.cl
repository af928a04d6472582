// Samplers written in the program: every address mode and filter, normalized or not.
#define SAMPLER(name, normalized, address, filter)                                         \
  constant sampler_t name = CLK_NORMALIZED_COORDS_##normalized | CLK_ADDRESS_##address |   \
                            CLK_FILTER_##filter;
SAMPLER(none, FALSE, NONE, NEAREST)
SAMPLER(edge, FALSE, CLAMP_TO_EDGE, LINEAR)
SAMPLER(border, FALSE, CLAMP, LINEAR)
SAMPLER(border_nearest, TRUE, CLAMP, NEAREST)
SAMPLER(repeating, TRUE, REPEAT, LINEAR)
SAMPLER(repeating_nearest, TRUE, REPEAT, NEAREST)
SAMPLER(mirrored, TRUE, MIRRORED_REPEAT, LINEAR)
SAMPLER(mirrored_nearest, TRUE, MIRRORED_REPEAT, NEAREST)

kernel void inline_unnormalized(read_only image2d_t from, global const float2 *p,
                                global float4 *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = read_imagef(from, none, clamp(p[i], (float2)(0.0f), (float2)(7.0f)));
  to[n + i] = read_imagef(from, edge, p[i]);
  to[2 * n + i] = read_imagef(from, border, p[i]);
}
kernel void inline_normalized(read_only image2d_t from, global const float2 *p,
                              global float4 *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = read_imagef(from, border_nearest, p[i]);
  to[n + i] = read_imagef(from, repeating, p[i]);
  to[2 * n + i] = read_imagef(from, repeating_nearest, p[i]);
  to[3 * n + i] = read_imagef(from, mirrored, p[i]);
  to[4 * n + i] = read_imagef(from, mirrored_nearest, p[i]);
}
