// Recursion whose every level has values of its own that must survive the deeper ones.
int __attribute__((noinline)) fold(int n, int seed) {
  if (n <= 0) return seed;
  int before = seed * 3 + n;
  int deeper = fold(n - 1, before ^ n);
  return before + 7 * deeper;
}
kernel void recursion(global const int *p, global int *out) {
  int i = get_global_id(0);
  out[i] = fold(i % 7, p[i]);
}
