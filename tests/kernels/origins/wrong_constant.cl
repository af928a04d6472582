/* Planted: a dozen has not eleven. */
kernel void wrong_constant(global const int *in, global int *out) {
  int i = get_global_id(0);
  int count = in[i] * 11;  /* guilty */
  out[i] = count;
}
