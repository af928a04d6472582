// Trigonometric functions and their inverses, small arguments and large.
kernel void angles(global const float *a, global const float *unit, global float *four,
                   global float *five, global float *six) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], u = unit[i], cosine;
  four[i] = sin(x);
  four[n + i] = cos(x);
  four[2 * n + i] = sinpi(u * 8.0f);
  four[3 * n + i] = cospi(u * 8.0f);
  four[4 * n + i] = asin(u);
  four[5 * n + i] = acos(u);
  four[6 * n + i] = sincos(x, &cosine);
  four[7 * n + i] = cosine;
  five[i] = tan(x);
  five[n + i] = atan(x);
  five[2 * n + i] = asinpi(u);
  five[3 * n + i] = acospi(u);
  five[4 * n + i] = atanpi(x);
  six[i] = tanpi(u);
  six[n + i] = atan2(x, u);
  six[2 * n + i] = atan2pi(u, x);
}
