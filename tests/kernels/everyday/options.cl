// Prices of European options, by Black and Scholes.
float normal(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f;
  const float a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float poly = k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5))));
  float tail = 0.39894228f * exp(-0.5f * d * d) * poly;
  return d > 0 ? 1.0f - tail : tail;
}

kernel void options(global float *call, global float *put, global const float *prices, global const float *strikes,
                    global const float *years, float rate, float volatility, uint count) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    float price = 5.0f + 25.0f * prices[i];
    float strike = 1.0f + 99.0f * strikes[i];
    float time = 0.25f + 9.75f * years[i];
    float root = sqrt(time);
    float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * time) / (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = normal(d1);
    float n2 = normal(d2);
    float discounted = strike * exp(-rate * time);
    call[i] = price * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
  }
}
