// Fields of bits: reversal, insertion, extraction, three-input boolean functions, bit scans.
uint reversed(uint x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
  return x >> 16 | x << 16;
}
// The older of Intel's compilers, on clang 14, has the extension and crashes over it.
#if defined(cl_khr_extended_bit_ops) && __clang_major__ > 14
#define REVERSE(x) bit_reverse(x)
#define INSERT(base, field, at, bits) bitfield_insert(base, field, at, bits)
#define EXTRACT(x, at, bits) bitfield_extract_signed(x, at, bits)
#define EXTRACT_UNSIGNED(x, at, bits) bitfield_extract_unsigned(x, at, bits)
#else
#define REVERSE(x) reversed(x)
#define MASK(bits) ((1u << (bits)) - 1)
#define INSERT(base, field, at, bits)                                                        \
  (((base) & ~(MASK(bits) << (at))) | ((field) & MASK(bits)) << (at))
#define EXTRACT(x, at, bits) ((int)((x) << (32 - (at) - (bits))) >> (32 - (bits)))
#define EXTRACT_UNSIGNED(x, at, bits) ((x) >> (at) & MASK(bits))
#endif
#if __OPENCL_C_VERSION__ >= 200
#define TRAILING(x) ctz(x)
#else
#define TRAILING(x) popcount((x & -x) - 1)
#endif
kernel void bit_fields(global const uint *a, global const uint *b, global uint *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  uint x = a[i], y = b[i], z = x * 2654435761u;
  uint at = y & 15, bits = 1 + (y >> 4 & 15);
  out[i] = REVERSE(x);
  out[n + i] = INSERT(x, y, at, bits);
  out[2 * n + i] = (uint)EXTRACT(x, at, bits);
  out[3 * n + i] = EXTRACT_UNSIGNED(x, at, bits);
  out[4 * n + i] = (x & y) ^ (~x & z);
  out[5 * n + i] = (x & y) | (x & z) | (y & z);
  out[6 * n + i] = x ^ y ^ z;
  out[7 * n + i] = bitselect(x, y, z);
  out[8 * n + i] = x ? TRAILING(x) : 32;
  out[9 * n + i] = 31 - clz(x | 1);
  out[10 * n + i] = (x >> 5 & 0x7f) << 9 | (y >> 11 & 0x1f);
  out[11 * n + i] = reversed(y);
}
