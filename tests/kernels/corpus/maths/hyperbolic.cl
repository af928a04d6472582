// Hyperbolic functions, the error function and the gamma function.
kernel void hyperbolic(global const float *a, global const float *unit, global float *four,
                       global float *five, global float *sixteen) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], u = unit[i];
  four[i] = sinh(x);
  four[n + i] = cosh(x);
  four[2 * n + i] = asinh(x);
  four[3 * n + i] = acosh(1.0f + fabs(x));
  five[i] = tanh(x);
  five[n + i] = atanh(u);
  sixteen[i] = erf(x);
  sixteen[n + i] = erfc(x);
  sixteen[2 * n + i] = tgamma(1.5f + fabs(x));
  sixteen[3 * n + i] = lgamma(3.0f + fabs(x));
}
