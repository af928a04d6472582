// As launch_numbers, asked for by a function that is called through the stack.
#define NUMBERS 9
#define DIMENSIONS 4

ulong number(int which, uint dimension);

ulong __attribute__((noinline)) called(int which, uint dimension) {
  if (which >= NUMBERS) return called(which - NUMBERS, dimension) + which;  // no loop is as good
  return number(which, dimension);
}

__attribute__((always_inline)) ulong number(int which, uint dimension) {
  switch (which) {
    case 0: return get_global_id(dimension);
    case 1: return get_local_id(dimension);
    case 2: return get_group_id(dimension);
    case 3: return get_global_size(dimension);
    case 4: return get_local_size(dimension);
    case 5: return get_enqueued_local_size(dimension);
    case 6: return get_num_groups(dimension);
    case 7: return get_global_offset(dimension);
    default: return get_work_dim();
  }
}

kernel void called_numbers(global ulong *out, uint asked) {
  size_t item = get_global_linear_id();
  global ulong *own = out + item * NUMBERS * DIMENSIONS;
  for (int which = 0; which < NUMBERS; ++which) {
    for (uint dimension = 0; dimension < 3; ++dimension) {
      own[which * DIMENSIONS + dimension] = called(which, dimension);
    }
    own[which * DIMENSIONS + 3] = called(which, asked);
  }
}
