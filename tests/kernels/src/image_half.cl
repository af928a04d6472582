#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// 16-bit floating-point texels.
kernel void halve(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imageh(to, p, read_imageh(from, p) * (half)0.5h);
}
kernel void sample_half(read_only image2d_t from, sampler_t how, global const float2 *p,
                        global half4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imageh(from, how, p[i]);
}
