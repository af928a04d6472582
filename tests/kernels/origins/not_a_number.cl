/* Planted: the root of a negative number. */
kernel void not_a_number(global const float *in, global float *out) {
  int i = get_global_id(0);
  float shifted = in[i] - 4.0f;
  float root = native_sqrt(shifted);  /* guilty */
  out[i] = root + 1.0f;
}
