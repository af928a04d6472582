// The first work-item of a group hands a value to the others, with and without the barrier that it
// takes; and groups count themselves without an atomic.
kernel void missing_barrier(global int *out) {
  volatile local int value;
  size_t item = get_local_id(0);
  if (item == 0)
    value = 100 * (int)get_group_id(0) + 7;
  out[get_global_id(0)] = value + (int)item;
}

kernel void with_barrier(global int *out) {
  volatile local int value;
  size_t item = get_local_id(0);
  if (item == 0)
    value = 100 * (int)get_group_id(0) + 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = value + (int)item;
}

kernel void lost_update(volatile global int *count) {
  if (get_local_id(0) == 0)
    count[0] = count[0] + 1;
}
