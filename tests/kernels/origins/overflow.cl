/* Planted: the sum does not fit the type that it is kept in. */
kernel void overflow(global const int *in, global int *out) {
  int i = get_global_id(0);
  int sum = in[i] + in[i + 1];
  uchar kept = (uchar)sum;  /* guilty */
  out[i] = kept;
}
