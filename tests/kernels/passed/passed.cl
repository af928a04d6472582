typedef struct {
  float weight;
  int count;
} Cell;

float scaled(float value, Cell cell) { return cell.count > 2 ? value * cell.weight : value; }

kernel void by_value(global const float *values, global float *out, int width, local float *tile) {
  const int row = get_group_id(0);
  const int lid = get_local_id(0);
  Cell cell;
  cell.weight = 0.5f;
  cell.count = row;
  float sum = 0.0f;
  for (int x = lid; x < width; x += (int)get_local_size(0))
    sum += scaled(values[row * width + x], cell);
  tile[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[(lid + 1) % (int)get_local_size(0)];
}

typedef struct {
  int *pointer;
} Reference;

void add(Reference *reference, int number) { *reference->pointer += number; }

kernel void by_reference(global int *out, int n) {
  int gid = get_global_id(0);
  int sum = gid;
  Reference reference;
  reference.pointer = &sum;
  for (int i = 0; i < n; i++)
    add(&reference, i);
  out[gid] = sum;
}

kernel void overlapping(global const int *in, global int *out) {
  int gid = get_global_id(0);
  int value = in[gid];
  out[gid] = value + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[gid] += 2;
}
