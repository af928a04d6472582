// doubles: the double precision side of the accuracy table.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void double_exact(global const double *a, global const double *b, global double *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  double x = a[i], y = b[i], whole;
  int k = 0, e;
#define PUT(value) out[k++ * n + i] = value;
  PUT(x + y) PUT(x * y) PUT(fma(x, y, -x)) PUT(x / y) PUT(sqrt(fabs(x))) PUT(floor(x))
  PUT(ceil(x)) PUT(trunc(x)) PUT(rint(x)) PUT(round(x)) PUT(fmod(x, y)) PUT(copysign(x, y))
  PUT(ldexp(x, (int)y)) PUT(frexp(x, &e)) PUT(modf(x, &whole)) PUT(fmin(x, y)) PUT(fmax(x, y))
  PUT(x > y ? x : y) PUT((double)((x < y) + 2 * isnan(x) + 4 * signbit(y)))
}
kernel void double_functions(global const double *a, global const double *b, global double *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  double x = a[i], y = b[i];
  int k = 0;
  PUT(exp(y)) PUT(log(x)) PUT(sin(y)) PUT(cos(y)) PUT(tan(y)) PUT(atan(y)) PUT(pow(x, y))
  PUT(cbrt(x)) PUT(hypot(x, y)) PUT(tanh(y)) PUT(erf(y)) PUT(rsqrt(x)) PUT(exp2(y)) PUT(log2(x))
}
