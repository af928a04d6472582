// Shifts of every width; OpenCL takes the amount modulo the width.
#define SHIFT(T, BITS)                                                                       \
  out[k++ * n + i] = (long)(T)((T)x << (y & (BITS - 1)));                                    \
  out[k++ * n + i] = (long)(T)((T)x >> (y & (BITS - 1)));                                    \
  out[k++ * n + i] = (long)(T)((T)((T)x << 3) >> 2);
kernel void shifts(global const long *a, global const int *amounts, global long *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  long x = a[i];
  int y = amounts[i], k = 0;
  SHIFT(char, 8)
  SHIFT(uchar, 8)
  SHIFT(short, 16)
  SHIFT(ushort, 16)
  SHIFT(int, 32)
  SHIFT(uint, 32)
  SHIFT(long, 64)
  SHIFT(ulong, 64)
  out[k * n + i] = x << y;
}
