// Recursion: functions that are called through the stack and ask where in the work they are.
int __attribute__((noinline)) descend(int n, global const int *p) {
  if (n <= 0) return get_local_id(0) + 100 * get_group_id(0) + 10000 * get_local_size(0);
  return descend(n - 1, p + 1) + p[0] + (int)get_global_id(0);
}
kernel void stack_calls(global const int *p, global int *out) {
  int i = get_global_id(0);
  out[i] = descend(i & 3, p);
}
