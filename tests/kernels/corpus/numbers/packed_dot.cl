// Dot products of four packed bytes.
// The older of Intel's compilers, on clang 14, has the extension and crashes over it.
#if defined(cl_khr_integer_dot_product) && __clang_major__ > 14
#define DOT_SS(a, b) dot_4x8packed_ss_int(a, b)
#define DOT_UU(a, b) dot_4x8packed_uu_uint(a, b)
#define DOT_SU(a, b) dot_4x8packed_su_int(a, b)
#define DOT_SAT(a, b, c) dot_acc_sat_4x8packed_ss_int(a, b, c)
#else
int dot_ss(uint a, uint b) {
  char4 x = as_char4(a), y = as_char4(b);
  return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
uint dot_uu(uint a, uint b) {
  uchar4 x = as_uchar4(a), y = as_uchar4(b);
  return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
int dot_su(uint a, uint b) {
  char4 x = as_char4(a);
  uchar4 y = as_uchar4(b);
  return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
#define DOT_SS(a, b) dot_ss(a, b)
#define DOT_UU(a, b) dot_uu(a, b)
#define DOT_SU(a, b) dot_su(a, b)
#define DOT_SAT(a, b, c) add_sat(dot_ss(a, b), c)
#endif
kernel void packed_dot(global const uint *a, global const uint *b, global const int *c,
                       global int *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  uint x = a[i], y = b[i];
  out[i] = DOT_SS(x, y) + c[i] / 2;
  out[n + i] = (int)DOT_UU(x, y);
  out[2 * n + i] = DOT_SU(x, y);
  out[3 * n + i] = DOT_SAT(x, y, c[i]);
}
