/* Planted: one work-item writes over its neighbour's element. */
kernel void neighbour(global const int *in, global int *out) {
  int i = get_global_id(0);
  int value = in[i];
  out[i] = value;
  if (value == 3) {
    int mark = value * -1;
    out[i + 1] = mark;  /* guilty */
  }
}
