// Floats to integers in every rounding mode, saturating, and integers to floats.
#define TO(T)                                                                                \
  out[k++ * n + i] = (long)convert_##T##_sat(x);                                             \
  out[k++ * n + i] = (long)convert_##T##_sat_rte(x);                                         \
  out[k++ * n + i] = (long)convert_##T##_sat_rtz(x);                                         \
  out[k++ * n + i] = (long)convert_##T##_sat_rtp(x);                                         \
  out[k++ * n + i] = (long)convert_##T##_sat_rtn(x);
kernel void float_to_integers(global const float *a, global long *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  int k = 0;
  TO(char) TO(uchar) TO(short) TO(ushort) TO(int) TO(uint)
}
kernel void float_to_long(global const float *a, global long *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  out[i] = convert_long(x);
  out[n + i] = convert_long_rtz(x);
  out[2 * n + i] = (long)convert_ulong(fabs(x));
  out[3 * n + i] = (int)x;
  out[4 * n + i] = (short)(x * 0.0001f);
  out[5 * n + i] = (char)(x * 0.000001f);
}
kernel void integers_to_float(global const long *a, global float *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  long x = a[i];
  out[i] = (float)(char)x;
  out[n + i] = (float)(uchar)x;
  out[2 * n + i] = (float)(short)x;
  out[3 * n + i] = (float)(ushort)x;
  out[4 * n + i] = (float)(int)x;
  out[5 * n + i] = (float)(uint)x;
  out[6 * n + i] = (float)x;
  out[7 * n + i] = (float)(ulong)x;
}
