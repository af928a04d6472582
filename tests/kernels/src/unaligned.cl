kernel void unaligned(global char *data, int by) {
  global int *counter = (global int *)(data + by);
  atomic_inc(counter + get_global_id(0));
}
