/* Planted: the last work-item reads one element after the end. */
kernel void off_by_one(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int next = i + 1;
  int sum = in[i] + in[next];
  out[i] = sum;
}
