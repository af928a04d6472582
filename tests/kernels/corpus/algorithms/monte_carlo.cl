// Pi by throwing darts with integers, summed over each work-group.
kernel void monte_carlo(global const uint *seeds, global uint *hits, int throws) {
  local uint sums[64];
  uint l = get_local_id(0), state = seeds[get_global_id(0)], inside = 0;
  for (int k = 0; k < throws; ++k) {
    state = state * 1664525u + 1013904223u;
    uint x = state >> 17;
    state = state * 1664525u + 1013904223u;
    uint y = state >> 17;
    inside += x * x + y * y < (1u << 30);
  }
  sums[l] = inside;
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) sums[l] += sums[l + step];
  }
  if (l == 0) hits[get_group_id(0)] = sums[0];
}
