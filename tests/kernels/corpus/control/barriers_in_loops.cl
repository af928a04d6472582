// Barriers within loops whose bounds are the group's: a wave over a ring, double buffered.
kernel void barriers_in_loops(global const int *in, global int *out, int rounds) {
  local int ring[2][64];
  int l = get_local_id(0), size = get_local_size(0);
  ring[0][l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int now = 0;
  for (int round = 0; round < rounds + (int)get_group_id(0); ++round) {
    int left = ring[now][(l + size - 1) % size], right = ring[now][(l + 1) % size];
    if (round % 3 == 2) {
      ring[now ^ 1][l] = left > right ? left - right : right + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
    } else {
      ring[now ^ 1][l] = (left + 2 * ring[now][l] + right) & 0xffff;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    now ^= 1;
  }
  out[get_global_id(0)] = ring[now][l];
}
