/* Planted: rows are as long as the matrix is high. */
kernel void wrong_stride(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  int at = y * height + x;  /* guilty */
  out[y * width + x] = in[at];
}
