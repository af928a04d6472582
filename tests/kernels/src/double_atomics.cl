// Atomic add, minimum and maximum of doubles.
kernel void double_atomics(global double *f) {
  double v = get_global_id(0) - 3.5;
  volatile global atomic_double *a = (volatile global atomic_double *)f;
  atomic_fetch_add_explicit(a, v, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(a + 1, v, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(a + 2, v, memory_order_relaxed, memory_scope_device);
}
