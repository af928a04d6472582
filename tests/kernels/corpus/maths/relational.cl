// Relational functions and comparisons, with zeros, infinities, denormals and NaN.
kernel void relational(global const float *a, global const float *b, global int *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  out[i] = isequal(x, y) | isnotequal(x, y) << 1 | isgreater(x, y) << 2 |
           isgreaterequal(x, y) << 3 | isless(x, y) << 4 | islessequal(x, y) << 5 |
           islessgreater(x, y) << 6 | isordered(x, y) << 7 | isunordered(x, y) << 8;
  out[n + i] = isfinite(x) | isinf(x) << 1 | isnan(x) << 2 | isnormal(x) << 3 | signbit(x) << 4;
  out[2 * n + i] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) +
                   32 * (x != y) + 64 * !(x < y);
  int4 v = isless((float4)(x, y, x, 0.0f), (float4)(y, x, 1.0f, y));
  out[3 * n + i] = any(v) + 2 * all(v) + 4 * (v.x & 1) + 8 * (v.w & 1);
  out[4 * n + i] = as_int(select(x, y, (int)i & 1));
}
