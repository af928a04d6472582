// Work-groups that reach each other through global memory while they run.

// Every group waits for all others between the rounds, as cooperative kernels do. The results are those
// of values[i] = 3 * values[i] + values[i + 1], `rounds` times.
kernel void grid_barrier(volatile global int *arrived, volatile global int *values, global int *out,
                         int rounds) {
  int groups = get_num_groups(0);
  int group = get_group_id(0);
  int value = group;
  for (int round = 0; round < rounds; ++round) {
    volatile global int *here = values + (round & 1) * groups;
    if (get_local_id(0) == 0) {
      here[group] = value;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_inc(arrived);
      while (atomic_add(arrived, 0) < (round + 1) * groups)
        ;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    value = 3 * value + here[(group + 1) % groups];
  }
  if (get_local_id(0) == 0)
    out[group] = value;
}

// A group waits for the one before it, which may not have begun when this one does.
kernel void hand_over(volatile global int *ready, volatile global int *values) {
  int group = get_group_id(0);
  if (get_local_id(0) != 0)
    return;
  int value = 1;
  if (group != 0) {
    while (atomic_add(&ready[group - 1], 0) == 0)
      ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    value = 5 * values[group - 1] + group;
  }
  values[group] = value;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(&ready[group], 1);
}

// Each work-item draws a number that no other one draws.
kernel void tickets(volatile global int *next, volatile global int *drawn) {
  int ticket = atomic_inc(next);
  drawn[ticket] = drawn[ticket] + 1;
}

// All work-items write the same integer; each value that is read is one that was written.
kernel void whole_values(volatile global uint *value, volatile global int *torn) {
  for (uint i = 0; i < 200; ++i) {
    uint half_value = ((uint)get_global_id(0) * 256 + i) & 0xFFFF;
    *value = half_value << 16 | half_value;
    uint read = *value;
    if (read >> 16 != (read & 0xFFFF))
      atomic_inc(torn);
  }
}
