/* Planted: two work-items write each element, and the last one wins. */
kernel void race(global const int *in, global int *out) {
  int i = get_global_id(0);
  int twice = in[i] * 2;
  out[i / 2] = twice;  /* guilty */
}
