// Returns from the middle: of functions, and of the kernel by some work-items.
int first_divisor(int x) {
  if (x < 2) return 0;
  for (int d = 2; d * d <= x; ++d)
    if (x % d == 0) return d;
  return x;
}
kernel void early_return(global const int *in, global int *out, int limit) {
  int i = get_global_id(0);
  if (i >= limit) return;
  int x = in[i];
  if (x < 0) {
    out[i] = -1;
    return;
  }
  int d = first_divisor(x);
  if (d == x) {
    out[i] = 1;
    if (i & 1) return;
    out[i] = 2;
    return;
  }
  out[i] = d * 100 + first_divisor(x / max(d, 1));
}
