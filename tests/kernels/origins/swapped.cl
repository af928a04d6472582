/* Planted: the arguments of the call are swapped. */
static int difference(int from, int what) {
  return from - what;
}

kernel void swapped(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0);
  out[i] = difference(b[i], a[i]);  /* guilty */
}
