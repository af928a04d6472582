/* Planted: a maximum where a sum is meant. */
kernel void wrong_atomic(global const int *in, global int *out) {
  int i = get_global_id(0);
  int value = in[i];
  atomic_max(out, value);  /* guilty */
}
