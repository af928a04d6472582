// Private arrays with indices that only the data knows: insertion sort and a counting table.
kernel void private_arrays(global const int *in, global int *sorted, global uint *counts) {
  size_t i = get_global_id(0);
  int values[24];
  uchar table[64];
  for (int k = 0; k < 64; ++k) table[k] = 0;
  for (int k = 0; k < 24; ++k) {
    int value = in[i * 24 + k], place = k;
    ++table[value & 63];
    while (place > 0 && values[place - 1] > value) {
      values[place] = values[place - 1];
      --place;
    }
    values[place] = value;
  }
  for (int k = 0; k < 24; ++k) sorted[i * 24 + k] = values[k];
  uint hash = 17;
  for (int k = 0; k < 64; ++k) hash = hash * 31 + table[k];
  counts[i] = hash;
}
