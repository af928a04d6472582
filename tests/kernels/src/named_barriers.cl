// A barrier with a name of its own, which two hardware threads meet at.
kernel void named_barriers(global int *out, local int *values) {
  local NamedBarrier_t *both = named_barrier_init(2);
  int i = get_local_id(0), n = get_local_size(0);
  values[i] = 3 * i;
  work_group_named_barrier(both, CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = values[n - 1 - i];
}
