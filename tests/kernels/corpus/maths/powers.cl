// Exponentials, logarithms, powers and roots, by the bound that the accuracy table gives them.
kernel void powers(global const float *a, global const float *b, global float *three,
                   global float *four, global float *sixteen) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  three[i] = exp(y);
  three[n + i] = exp2(y);
  three[2 * n + i] = exp10(y);
  three[3 * n + i] = expm1(y);
  three[4 * n + i] = log(x);
  three[5 * n + i] = log2(x);
  three[6 * n + i] = log10(x);
  three[7 * n + i] = sqrt(x);
  three[8 * n + i] = x / y;
  three[9 * n + i] = 1.0f / x;
  three[10 * n + i] = rsqrt(x);
  three[11 * n + i] = cbrt(y);
  three[12 * n + i] = log1p(x);
  four[i] = hypot(x, y);
  sixteen[i] = pow(x, y);
  sixteen[n + i] = pown(y, (int)(x * 0.25f));
  sixteen[2 * n + i] = powr(x, y);
  sixteen[3 * n + i] = rootn(x, 3 + (int)(i & 3));
}
