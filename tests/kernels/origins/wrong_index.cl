/* Planted: neighbours change places. Each work-item ought to write its own element. */
kernel void wrong_index(global const int *in, global int *out) {
  int i = get_global_id(0);
  int at = i ^ 1;  /* guilty */
  out[at] = in[i];
}
