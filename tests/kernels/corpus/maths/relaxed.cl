// options: -cl-fast-relaxed-math -cl-mad-enable
// What relaxed maths makes of ordinary formulas.
kernel void relaxed(global const float *a, global const float *b, global float *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  out[i] = sin(x) * cos(y) + x / y;
  out[n + i] = exp(-x) + log(x) * sqrt(y);
  out[2 * n + i] = pow(x, y) / (1.0f + rsqrt(x));
  out[3 * n + i] = atan2(y, x) + tan(x * 0.125f) + exp2(y);
}
