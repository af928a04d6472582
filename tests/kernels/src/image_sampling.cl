// Reads through a sampler argument, by every shape of image; results land in a buffer.
kernel void sample_1d(read_only image1d_t from, sampler_t how, global const float *x,
                      global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, how, x[i]);
}
kernel void sample_1d_array(read_only image1d_array_t from, sampler_t how, global const float2 *p,
                            global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, how, p[i]);
}
kernel void sample_2d(read_only image2d_t from, sampler_t how, global const float2 *p,
                      global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, how, p[i]);
}
kernel void sample_2d_array(read_only image2d_array_t from, sampler_t how, global const float4 *p,
                            global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, how, p[i]);
}
kernel void sample_3d(read_only image3d_t from, sampler_t how, global const float4 *p,
                      global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, how, p[i]);
}
kernel void sample_2d_signed(read_only image2d_t from, sampler_t how, global const float2 *p,
                             global int4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagei(from, how, p[i]);
}
kernel void sample_2d_unsigned(read_only image2d_t from, sampler_t how, global const float2 *p,
                               global uint4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imageui(from, how, p[i]);
}
kernel void sample_2d_texel(read_only image2d_t from, sampler_t how, global const int2 *p,
                            global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, how, p[i]);
}
kernel void sample_3d_texel(read_only image3d_t from, sampler_t how, global const int4 *p,
                            global uint4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imageui(from, how, p[i]);
}
