// Two sorted arrays merged: every work-item finds its start by a binary search of the diagonal.
kernel void merge_path(global const int *a, int a_count, global const int *b, int b_count,
                       global int *out, int each) {
  int diagonal = get_global_id(0) * each;
  int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  int i = low, j = diagonal - low;
  for (int k = 0; k < each && diagonal + k < a_count + b_count; ++k)
    out[diagonal + k] = j >= b_count || (i < a_count && a[i] <= b[j]) ? a[i++] : b[j++];
}
