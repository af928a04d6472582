// Half floats as a storage format only: loads and stores with every rounding mode.
kernel void half_storage(global const float *in, global const half *h, global half *out,
                         global float *wide) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = in[i];
  vstore_half(x, i, out);
  vstore_half_rte(x, n + i, out);
  vstore_half_rtz(x, 2 * n + i, out);
  vstore_half_rtp(x, 3 * n + i, out);
  vstore_half_rtn(x, 4 * n + i, out);
  wide[i] = vload_half(i, h);
  float4 four = vload_half4(i / 4, h);
  wide[n + i] = four.x + four.y - four.z * four.w;
  vstore_half2((float2)(x, -x), i, out + 5 * n);
}
