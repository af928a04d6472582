#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
// A barrier in functions that are called through a table, as those of other modules are.
typedef int (*meeting)(local int *, int, int);
__attribute__((noinline)) int from_next(local int *shared, int id, int size) {
  shared[id] = 10 * id;
  barrier(CLK_LOCAL_MEM_FENCE);
  return shared[(id + 1) % size];
}
__attribute__((noinline)) int from_last(local int *shared, int id, int size) {
  shared[id] = 100 * id;
  barrier(CLK_LOCAL_MEM_FENCE);
  return shared[size - 1 - id];
}
kernel void meetings(global const int *which, global int *out, local int *shared) {
  meeting table[2] = {from_next, from_last};
  int id = get_local_id(0);
  int size = get_local_size(0);
  int met = table[which[0] & 1](shared, id, size);
  out[id] = met + 1;
}
