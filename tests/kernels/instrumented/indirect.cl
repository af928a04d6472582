// Reads and writes an array in registers at an index that only the launch tells.
kernel void indirect(global int *out, int at, int from) {
  int values[16];
  for (int i = 0; i < 16; i++) values[i] = out[i] + i;
  values[at] = 7;
  out[get_global_id(0)] = values[from];
}
