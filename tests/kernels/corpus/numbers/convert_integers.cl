// Conversions between all integer types, wrapping and saturating.
#define TO(FROM, T)                                                                          \
  out[k++ * n + i] = (long)convert_##T((FROM)x);                                             \
  out[k++ * n + i] = (long)convert_##T##_sat((FROM)x);
#define FROM(F)                                                                              \
  TO(F, char) TO(F, uchar) TO(F, short) TO(F, ushort) TO(F, int) TO(F, uint) TO(F, long)     \
  TO(F, ulong)
kernel void convert_integers(global const long *a, global long *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  long x = a[i];
  int k = 0;
  FROM(char) FROM(uchar) FROM(short) FROM(ushort) FROM(int) FROM(uint) FROM(long) FROM(ulong)
}
