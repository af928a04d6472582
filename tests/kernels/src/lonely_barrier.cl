/* A barrier that only the first half of a group comes to; the others are done. */
kernel void lonely_barrier(global int* out) {
  local int value;
  int id = get_local_id(0);
  if (id < (int)get_local_size(0) / 2) {
    value = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = value;
  }
}

/* The same, but the others wait for the first ones, and never end. */
kernel void crossed_barrier(global volatile int* out) {
  int id = get_local_id(0);
  if (id < (int)get_local_size(0) / 2) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[0] = 1;
  } else {
    while (out[0] == 0) {
    }
  }
}
