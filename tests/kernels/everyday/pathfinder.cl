// The cheapest way through a grid from its first row on (pathfinder): some rows at once in local memory, with a halo.
#define BLOCK 16
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

kernel void pathfinder(int rows, global const int *wall, global const int *source, global int *result, int cols, int start, int border) {
  local int previous[BLOCK];
  local int current[BLOCK];
  const int tx = get_local_id(0);
  const int small = BLOCK - rows * 2;
  const int begin = small * (int)get_group_id(0) - border;
  const int end = begin + BLOCK - 1;
  const int x = begin + tx;

  int first = begin < 0 ? -begin : 0;
  int last = end > cols - 1 ? BLOCK - 1 - (end - cols + 1) : BLOCK - 1;
  int west = max(tx - 1, first);
  int east = min(tx + 1, last);
  bool is_valid = IN_RANGE(tx, first, last);
  if (IN_RANGE(x, 0, cols - 1))
    previous[tx] = source[x] & 15;
  barrier(CLK_LOCAL_MEM_FENCE);

  bool computed = false;
  for (int i = 0; i < rows; i++) {
    computed = false;
    if (IN_RANGE(tx, i + 1, BLOCK - i - 2) && is_valid) {
      computed = true;
      int left = previous[west];
      int up = previous[tx];
      int right = previous[east];
      int shortest = min(min(left, up), right);
      int index = cols * (start + i) + x;
      current[tx] = shortest + (wall[index] & 7);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == rows - 1)
      break;
    if (computed)
      previous[tx] = current[tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed)
    result[x] = current[tx];
}
