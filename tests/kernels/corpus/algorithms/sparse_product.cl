// A sparse matrix in compressed rows times a vector; rows of very different length.
kernel void sparse_product(global const int *rows, global const int *columns,
                           global const float *values, global const float *x, global float *y) {
  size_t row = get_global_id(0);
  float sum = 0.0f;
  for (int k = rows[row]; k < rows[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
