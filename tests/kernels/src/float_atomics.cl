// Atomic add, minimum, maximum, exchange and compare-exchange of floats, global and local.
kernel void float_atomics(global float *f, local float *l, global float *out) {
  float v = get_global_id(0) - 3.5f;
  volatile global atomic_float *a = (volatile global atomic_float *)f;
  volatile local atomic_float *b = (volatile local atomic_float *)l;
  atomic_fetch_add_explicit(a, v, memory_order_relaxed, memory_scope_device);
  atomic_fetch_sub_explicit(a + 1, v, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(a + 2, v, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(a + 3, v, memory_order_relaxed, memory_scope_device);
  float expected = -3.0f;
  atomic_compare_exchange_strong_explicit(a + 4, &expected, 9.0f, memory_order_relaxed,
                                          memory_order_relaxed, memory_scope_device);
  if (get_local_id(0) < 3) l[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(b, v, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_min_explicit(b + 1, v, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_max_explicit(b + 2, v, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 3) out[get_group_id(0) * 3 + get_local_id(0)] = l[get_local_id(0)];
}
