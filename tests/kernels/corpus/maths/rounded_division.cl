// options: -cl-fp32-correctly-rounded-divide-sqrt
// Division and square root as IEEE 754 says, in single precision.
kernel void rounded_division(global const float *a, global const float *b, global float *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  out[i] = x / y;
  out[n + i] = sqrt(fabs(x));
  out[2 * n + i] = 1.0f / y;
  out[3 * n + i] = x / 3.0f;
}
