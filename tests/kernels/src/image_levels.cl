#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable

#define AT_LEVEL(shape, type)                                                               \
  kernel void level_##shape(read_only image##shape##_t from, sampler_t how,                 \
                            global const type *p, global const float *level,               \
                            global float4 *to) {                                            \
    const int i = get_global_id(0);                                                         \
    to[i] = read_imagef(from, how, p[i], level[i]);                                         \
  }

#define BY_GRADIENTS(shape, type, step)                                                     \
  kernel void gradients_##shape(read_only image##shape##_t from, sampler_t how,             \
                                global const type *p, global const float *level,           \
                                global float4 *to) {                                        \
    const int i = get_global_id(0);                                                         \
    to[i] = read_imagef(from, how, p[i], (step)(level[i]), (step)(2.0f * level[i]));        \
  }

AT_LEVEL(1d, float)
AT_LEVEL(1d_array, float2)
AT_LEVEL(2d, float2)
AT_LEVEL(2d_array, float4)
AT_LEVEL(3d, float4)
BY_GRADIENTS(1d, float, float)
BY_GRADIENTS(2d, float2, float2)
BY_GRADIENTS(3d, float4, float4)
