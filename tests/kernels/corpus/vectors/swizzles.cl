// Vectors of 2, 3, 4, 8 and 16: swizzles, halves, odd and even components, mixed writes.
kernel void swizzles(global const float16 *a, global const int8 *b, global float16 *out,
                     global int8 *integers) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float16 x = a[i];
  out[i] = x.s0123456789abcdef.sfedcba9876543210;
  float16 y = x;
  y.lo = x.hi;
  y.odd = x.even;
  y.s3 = x.sF;
  out[n + i] = y;
  float3 three = x.s1a5;
  float2 two = three.zx;
  out[2 * n + i] = (float16)(three, two, x.lo, three.yyy);
  int8 v = b[i];
  v.s04 += v.s15;
  v.hi = v.lo * v.hi.wzyx;
  integers[i] = v;
  integers[n + i] = (int8)(v.odd, -v.even);
  integers[2 * n + i] = v > b[i] ? v : b[i];
}
