// The C11 atomics of OpenCL 2.0 with explicit orders and scopes.
kernel void c11_atomics(volatile global atomic_int *words, volatile global atomic_uint *unsigned_,
                        volatile global atomic_flag *flag, global const int *in,
                        global int *won) {
  local atomic_int shared;
  size_t i = get_global_id(0);
  if (get_local_id(0) == 0) atomic_init(&shared, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int x = in[i];
  atomic_fetch_add_explicit(words, x, memory_order_relaxed, memory_scope_device);
  atomic_fetch_sub_explicit(words + 1, x, memory_order_acq_rel, memory_scope_device);
  atomic_fetch_or_explicit(words + 2, 1 << (x & 31), memory_order_seq_cst, memory_scope_device);
  atomic_fetch_xor_explicit(words + 3, x, memory_order_release, memory_scope_device);
  atomic_fetch_and_explicit(words + 4, x | 0xff, memory_order_acquire, memory_scope_device);
  atomic_fetch_min_explicit(words + 5, x, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_max_explicit(words + 6, x, memory_order_relaxed, memory_scope_all_svm_devices);
  atomic_fetch_max_explicit(unsigned_, (uint)x, memory_order_relaxed, memory_scope_device);
  int expected = 9;
  bool exchanged = atomic_compare_exchange_strong(words + 7, &expected, 1000);
  won[i] = exchanged + 2 * !atomic_flag_test_and_set(flag);
  atomic_fetch_add_explicit(&shared, x, memory_order_relaxed, memory_scope_work_group);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_store(words + 8 + get_group_id(0), atomic_load(&shared));
}
