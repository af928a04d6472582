// Quicksort without recursion: each work-item sorts its own part with a stack of its own.
kernel void quicksort(global int *data, int count) {
  global int *part = data + get_global_id(0) * count;
  int stack[32], top = 0;
  stack[top++] = 0;
  stack[top++] = count - 1;
  while (top > 0) {
    int high = stack[--top], low = stack[--top];
    if (low >= high) continue;
    int pivot = part[(low + high) / 2], i = low, j = high;
    while (i <= j) {
      while (part[i] < pivot) ++i;
      while (part[j] > pivot) --j;
      if (i <= j) {
        int t = part[i];
        part[i++] = part[j];
        part[j--] = t;
      }
    }
    // The longer side first, so that the stack stays short.
    bool left = j - low > high - i;
    stack[top++] = left ? low : i;
    stack[top++] = left ? j : high;
    stack[top++] = left ? i : low;
    stack[top++] = left ? high : j;
  }
}
