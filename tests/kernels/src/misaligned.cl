// Vectors and elements at addresses between two of them, as `by` says.
kernel void misaligned(global uchar *data, global int4 *vectors, int by, int narrow) {
  size_t item = get_global_id(0);
  if (narrow) {
    vectors[item].x = *(global int *)(data + by + 16 * item);
    return;
  }
  vectors[item] = *(global int4 *)(data + by + 16 * item);
}
