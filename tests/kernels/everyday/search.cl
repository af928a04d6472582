// The first place in a sorted table that is not less than each key.
kernel void search(global int *found, global const int *keys, global const int *table, int size) {
  int id = get_global_id(0);
  int key = keys[id] * 3 + 1;
  int low = 0, high = size;
  while (low < high) {
    int middle = low + (high - low) / 2;
    int value = table[middle];
    if (value < key)
      low = middle + 1;
    else
      high = middle;
  }
  int is_there = low < size && table[low] == key;
  found[id] = is_there ? low : ~low;
}
