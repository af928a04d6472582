/* Planted: the host filled in the table wrong. */
kernel void wrong_table(global const int *in, global const int *table, global int *out) {
  int i = get_global_id(0);
  int entry = table[in[i] & 15];  /* guilty */
  out[i] = entry;
}
