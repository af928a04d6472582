// Arrival at a barrier and the wait for it, with as many lanes as the compiler likes.
kernel void split_barrier_simd32(global int *p, local int *values) {
  int i = get_local_id(0), n = get_local_size(0);
  values[i] = i;
  intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
  int tripled = p[get_global_id(0)] * 3;
  intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tripled + values[n - 1 - i];
}
