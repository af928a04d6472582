// Writable variables at program scope: they keep their values, and have initial ones.
global int counter = 100;
global uint table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
global int *pointer;
kernel void program_globals(global int *out) {
  int i = get_global_id(0);
  if (i == 0) pointer = &counter;
  atomic_add((volatile global int *)&counter, i);
  table[i & 7] |= 256;  // the same value from everyone
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = counter + *pointer + (int)table[(i + 1) & 7];
}
