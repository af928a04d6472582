// Lower bounds in a sorted array of 64-bit keys.
kernel void binary_search(global const long *sorted, int count, global const long *keys,
                          global int *places) {
  long key = keys[get_global_id(0)];
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  places[get_global_id(0)] = low < count && sorted[low] == key ? low : ~low;
}
