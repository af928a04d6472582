// Pointers to the generic address space, and where they point.
__attribute__((noinline)) int sum(const int *values, int count) {
  int total = 0;
  for (int k = 0; k < count; ++k) total += values[k];
  return total;
}
__attribute__((noinline)) void add_one(int *value) { *value += 1; }
kernel void generic_space(global int *data, global int *out) {
  local int shared[64];
  int own[4], l = get_local_id(0), i = get_global_id(0);
  for (int k = 0; k < 4; ++k) own[k] = i * k;
  shared[l] = data[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int *chosen = i % 3 == 0 ? (int *)own : i % 3 == 1 ? (int *)shared : (int *)data;
  int total = sum(chosen, 4);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (i % 3 == 0) add_one(&own[1]);
  else if (l >= 4) add_one(&shared[l]);
  int kind = to_local(chosen) != 0 ? 200000 : 100000;
  out[i] = total + kind + own[1] + shared[l];
}
