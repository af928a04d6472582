// doubles: 64-bit floats from and to every other type.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void convert_doubles(global const double *a, global const long *b, global double *out,
                            global long *integers) {
  size_t i = get_global_id(0), n = get_global_size(0);
  double x = a[i];
  long y = b[i];
  out[i] = (double)(float)x;
  out[n + i] = (double)(int)y;
  out[2 * n + i] = (double)(uint)y;
  out[3 * n + i] = (double)y;
  out[4 * n + i] = (double)(ulong)y;
  out[5 * n + i] = (double)(short)y;
  out[6 * n + i] = (double)(uchar)y;
  integers[i] = (long)x;
  integers[n + i] = convert_int_sat(x);
  integers[2 * n + i] = convert_int_sat_rte(x);
  integers[3 * n + i] = convert_uint_sat_rtp(x);
  integers[4 * n + i] = convert_short_sat_rtn(x);
  integers[5 * n + i] = (long)convert_ulong(fabs(x));
  integers[6 * n + i] = as_long(x) >> 52;
}
