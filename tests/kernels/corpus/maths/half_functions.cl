// The mathematical functions in 16-bit floats.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_functions(global const half *a, global half *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  half x = a[i];
  out[i] = sqrt(x);
  out[n + i] = rsqrt(x);
  out[2 * n + i] = exp(x);
  out[3 * n + i] = log(x);
  out[4 * n + i] = sin(x);
  out[5 * n + i] = cos(x);
  out[6 * n + i] = (half)1 / x;
  out[7 * n + i] = pow(x, (half)1.5f);
  out[8 * n + i] = exp2(x);
  out[9 * n + i] = log2(x);
}
