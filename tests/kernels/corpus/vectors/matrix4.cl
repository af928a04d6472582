// 4 x 4 matrices in a vector of 16: product, transpose, determinant.
float16 transposed(float16 m) { return m.s048c159d26ae37bf; }
float4 times(float16 m, float4 v) {
  return (float4)(dot(m.s0123, v), dot(m.s4567, v), dot(m.s89ab, v), dot(m.scdef, v));
}
float minor(float3 a, float3 b, float3 c) { return dot(a, cross(b, c)); }
kernel void matrix4(global const float16 *a, global const float4 *v, global float16 *out,
                    global float4 *vectors, global float *determinants) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float16 m = a[i], t = transposed(a[n - 1 - i]);
  float16 product;
  product.s048c = times(m, t.s0123);
  product.s159d = times(m, t.s4567);
  product.s26ae = times(m, t.s89ab);
  product.s37bf = times(m, t.scdef);
  out[i] = product;
  vectors[i] = times(product, v[i]);
  determinants[i] = m.s0 * minor(m.s567, m.s9ab, m.sdef) - m.s1 * minor(m.s467, m.s8ab, m.scef) +
                    m.s2 * minor(m.s457, m.s89b, m.scdf) - m.s3 * minor(m.s456, m.s89a, m.scde);
}
