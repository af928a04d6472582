// Vectors of bytes and words: arithmetic, saturation, comparison, selection, widening.
kernel void small_elements(global const char16 *a, global const uchar16 *b,
                           global const short8 *c, global char16 *out, global uchar16 *unsigned_,
                           global short8 *words, global int4 *sums) {
  size_t i = get_global_id(0);
  char16 x = a[i];
  uchar16 y = b[i];
  short8 z = c[i];
  out[i] = select(add_sat(x, (char16)5), -x, x < (char16)0);
  unsigned_[i] = rhadd(y, y.sfedcba9876543210) ^ convert_uchar16_sat(x);
  words[i] = convert_short8(x.lo) * (short8)3 + (z >> (short8)2) + upsample(x.hi, y.hi);
  int4 wide = convert_int4(z.lo) * convert_int4(z.hi);
  sums[i] = wide + convert_int4(y.s048c) + (int4)(x.s0 == x.s1, x.s2 > x.s3, x.s4, y.s5);
}
