// Generations of Conway's game on a torus of 16 x 16 bytes, in local memory.
kernel void game_of_life(global const uchar *in, global uchar *out, int generations) {
  local uchar cells[2][256];
  int x = get_local_id(0), y = get_local_id(1), at = y * 16 + x;
  cells[0][at] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int now = 0;
  for (int g = 0; g < generations; ++g, now ^= 1) {
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (dx || dy) alive += cells[now][((y + dy) & 15) * 16 + ((x + dx) & 15)];
    cells[now ^ 1][at] = alive == 3 || (alive == 2 && cells[now][at]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = cells[now][at];
}
