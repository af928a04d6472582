/* Planted: a float has 24 bits for a number. */
kernel void rounded(global const int *in, global int *out) {
  int i = get_global_id(0);
  float number = (float)in[i];  /* guilty */
  out[i] = (int)number;
}
