// Addresses as data: pointers in an array, arithmetic and differences of pointers.
kernel void pointer_table(global int *data, global long *differences) {
  global int *rows[4];
  size_t i = get_global_id(0), n = get_global_size(0);
  for (int k = 0; k < 4; ++k) rows[k] = data + ((i + k) & 3) * n;
  global int *chosen = rows[i & 3];
  int value = chosen[i];
  global short *halves = (global short *)chosen + 2 * i;
  halves[1] += (short)value;
  differences[i] = (chosen - data) + ((long)((ulong)chosen - (ulong)data) << 20);
}
