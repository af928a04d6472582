// The native_ and half_ functions, whose accuracy is the device's or 8192 ulp.
kernel void native_functions(global const float *a, global float *loose, global float *half_) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  loose[i] = native_sin(x);
  loose[n + i] = native_cos(x);
  loose[2 * n + i] = native_exp(x);
  loose[3 * n + i] = native_exp2(x);
  loose[4 * n + i] = native_log(x);
  loose[5 * n + i] = native_log2(x);
  loose[6 * n + i] = native_sqrt(x);
  loose[7 * n + i] = native_rsqrt(x);
  loose[8 * n + i] = native_recip(x);
  loose[9 * n + i] = native_divide(3.0f, x);
  loose[10 * n + i] = native_powr(x, 1.5f);
  loose[11 * n + i] = native_tan(x * 0.25f);
  half_[i] = half_exp(x);
  half_[n + i] = half_log(x);
  half_[2 * n + i] = half_sqrt(x);
  half_[3 * n + i] = half_rsqrt(x);
  half_[4 * n + i] = half_divide(x, 7.0f);
  half_[5 * n + i] = half_sin(x);
}
