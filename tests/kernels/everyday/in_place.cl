// Buffers that are changed in place: by each work-item alone, and by its neighbours.
void multiply(global int *number, int factor) { *number *= factor; }

kernel void in_place(global int *numbers, global int *ring, int count, int factor) {
  const int id = get_global_id(0);
  global int *mine = numbers + id * count;
  const int first = mine[0];
  int sum = 0;
  for (int i = 0; i < count; i++) {
    int before = mine[i];
    mine[i] = before + first;
    int after = mine[i];
    if (after & 1)
      multiply(&mine[i], factor);
    sum += mine[i] - before;
  }
  const int last = mine[count - 1];
  const int given = ring[id];
  barrier(CLK_GLOBAL_MEM_FENCE);

  ring[(id + 1) % (int)get_global_size(0)] = given + sum;
  barrier(CLK_GLOBAL_MEM_FENCE);

  const int got = ring[id];
  mine[0] = got + last;
  ring[id] = got - given;
}
