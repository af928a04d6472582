/* Planted: a shift rounds negative numbers down, and no division does. */
kernel void shifted(global const int *in, global int *out) {
  int i = get_global_id(0);
  int half_of = in[i] >> 1;  /* guilty */
  int result = half_of + 100;
  out[i] = result;
}
