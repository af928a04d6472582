// Arithmetic in 16-bit floats: scalars, vectors, comparisons, conversions.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
kernel void half_arithmetic(global const half *a, global const half *b, global half *out,
                            global int *integers) {
  size_t i = get_global_id(0), n = get_global_size(0);
  half x = a[i], y = b[i];
  out[i] = x + y;
  out[n + i] = x - y;
  out[2 * n + i] = x * y;
  out[3 * n + i] = fma(x, y, x);
  out[4 * n + i] = fmin(x, y);
  out[5 * n + i] = fmax(x, y);
  out[6 * n + i] = fabs(x);
  out[7 * n + i] = floor(x);
  out[8 * n + i] = ceil(y);
  out[9 * n + i] = trunc(x * (half)3);
  out[10 * n + i] = rint(y * (half)0.5f);
  out[11 * n + i] = x > y ? x : -y;
  out[12 * n + i] = (half)(int)i;
  integers[i] = (int)x;
  integers[n + i] = isnan(x) + 2 * isinf(y) + 4 * (x == y) + 8 * (x <= y) + 16 * signbit(x);
  integers[2 * n + i] = convert_int_sat_rte(y);
  integers[3 * n + i] = as_short(x);
}
kernel void half_vectors(global const half4 *a, global const half4 *b, global half4 *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  half4 x = a[i], y = b[i];
  out[i] = x * y.wzyx;
  out[n + i] = (half4)(x.xy, y.zw) + (half)1;
  out[2 * n + i] = select(x, y, isgreater(x, y));
  half8 both = (half8)(x, y);
  out[3 * n + i] = both.even - both.odd;
}
