// Geometric and common functions over vectors.
kernel void geometric(global const float4 *a, global const float4 *b, global float4 *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float4 x = a[i], y = b[i];
  out[i] = cross(x, y);
  out[n + i] = (float4)(dot(x, y), length(x), distance(x, y), dot(x.xyz, y.xyz));
  out[2 * n + i] = normalize(x);
  out[3 * n + i] = (float4)(normalize(x.xy), length(y.xyz), distance(x.xy, y.xy));
  out[4 * n + i] = mix(x, y, 0.25f) + smoothstep((float4)(-4.0f), (float4)(4.0f), x);
  out[5 * n + i] = degrees(x) + radians(y) + clamp(x, -1.0f, 2.0f);
  out[6 * n + i] = (float4)(fast_length(x), fast_distance(x, y), fast_normalize(y).xy);
  out[7 * n + i] = mad(x, y, (float4)(1.0f)) + max(x, 0.5f) - min(y, x);
}
