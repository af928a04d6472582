/* Planted: the table's pointer is null for odd work-items. */
kernel void null_table(global int *out) {
  int i = get_global_id(0);
  global int *table = i % 2 ? 0 : out;
  int first = table[i];
  out[i] = first + i;
}
