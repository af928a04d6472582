// The functions of the accuracy table with a bound of 0 ulp: the same everywhere.
#pragma OPENCL FP_CONTRACT OFF
kernel void exact(global const float *a, global const float *b, global float *out,
                  global int *integers) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  int k = 0, e = 0, quotient = 0;
  float whole;
#define PUT(value) out[k++ * n + i] = value;
  PUT(x + y) PUT(x - y) PUT(x * y) PUT(fma(x, y, -x)) PUT(floor(x)) PUT(ceil(x)) PUT(trunc(x))
  PUT(rint(x)) PUT(round(x)) PUT(fabs(x)) PUT(fdim(x, y)) PUT(fmod(x, y)) PUT(remainder(x, y))
  PUT(copysign(x, y)) PUT(nextafter(x, y)) PUT(logb(x)) PUT(ldexp(x, (int)clamp(y, -30.0f, 30.0f))) PUT(frexp(x, &e))
  PUT(modf(x, &whole)) PUT(whole) PUT(fmin(x, y)) PUT(fmax(x, y)) PUT(maxmag(x, y))
  PUT(minmag(x, y)) PUT(remquo(x, y, &quotient)) PUT(fract(x, &whole)) PUT(sign(x))
  PUT(step(x, y)) PUT(clamp(x, -1.0f, 1.0f))
  integers[i] = e;
  integers[n + i] = ilogb(x);
  integers[2 * n + i] = quotient & 7;
}
