// Needleman-Wunsch on one tile, along its anti-diagonals.
#define TILE 16

int maximum(int a, int b, int c) {
  int larger = a > b ? a : b;
  return larger > c ? larger : c;
}

kernel void alignment(global const int *reference, global int *scores, int cols, int penalty,
                      local int *score, local int *match) {
  const int width = TILE + 1;
  int tx = get_local_id(0);
  int base = get_group_id(0) * TILE;
  int index = base + cols + tx + 1;

  for (int ty = 0; ty < TILE; ty++)
    match[ty * TILE + tx] = reference[index + cols * ty] % 10 - 4;
  if (tx == 0)
    score[0] = scores[base];
  score[(tx + 1) * width] = scores[base + cols * (tx + 1)];
  score[tx + 1] = scores[base + tx + 1];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int m = 0; m < TILE; m++) {
    if (tx <= m) {
      int x = tx + 1;
      int y = m - tx + 1;
      int diagonal = score[(y - 1) * width + x - 1] + match[(y - 1) * TILE + x - 1];
      int left = score[y * width + x - 1] - penalty;
      int up = score[(y - 1) * width + x] - penalty;
      score[y * width + x] = maximum(diagonal, left, up);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = TILE - 2; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + TILE - m;
      int y = TILE - tx;
      int diagonal = score[(y - 1) * width + x - 1] + match[(y - 1) * TILE + x - 1];
      int left = score[y * width + x - 1] - penalty;
      int up = score[(y - 1) * width + x] - penalty;
      score[y * width + x] = maximum(diagonal, left, up);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int ty = 0; ty < TILE; ty++)
    scores[index + ty * cols] = score[(ty + 1) * width + tx + 1];
}
