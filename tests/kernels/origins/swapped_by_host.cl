/* Planted: the host passes scale and offset in the wrong order. */
kernel void swapped_by_host(global const int *in, global int *out, int scale, int offset) {
  int i = get_global_id(0);
  int result = in[i] * scale + offset;  /* guilty */
  out[i] = result;
}
