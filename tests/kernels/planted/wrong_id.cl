/* Planted: each work-group writes to the same elements. */
kernel void wrong_id(global const int *in, global int *out) {
  int i = get_local_id(0);
  int value = in[i] * 2;
  out[i] = value;
}
