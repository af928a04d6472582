// Prices of European options.
float normal(float x) { return 0.5f * erfc(-x * M_SQRT1_2_F); }
kernel void black_scholes(global const float *spot, global const float *strike,
                          global const float *years, global float2 *prices, float rate,
                          float volatility) {
  size_t i = get_global_id(0);
  float s = spot[i], k = strike[i], t = years[i], root = volatility * sqrt(t);
  float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / root, d2 = d1 - root;
  float discounted = k * exp(-rate * t);
  prices[i] = (float2)(s * normal(d1) - discounted * normal(d2),
                       discounted * normal(-d2) - s * normal(-d1));
}
