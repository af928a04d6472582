kernel void sparse(global float *y, global const int *length, global const int *column,
                   global const float *value, global const float *x, int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  int count = length[row];
  float sum = 0;
  for (int k = 0; k < count; k++) {
    int at = k * rows + row;
    int from = column[at];
    float factor = value[at];
    float product = factor * x[from];
    sum += product;
  }
  float scale = count > 3 ? 0.5f : 1.0f;
  y[row] = sum * scale;
}
