// A transposed two-dimensional block of dwords, and one of bytes.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void block_2d_columns(global uint *in, global uint *out, int width, int height, int pitch,
                             int x, int y) {
  uint columns[8];
  ushort bytes[8];
  int lane = get_sub_group_local_id();
  intel_sub_group_2d_block_read_transpose_32b_16r8x1c(in, width, height, pitch, (int2)(x, y),
                                                      columns);
  intel_sub_group_2d_block_read_8b_8r32x1c(in, width, height, pitch, (int2)(4 * x, y), bytes);
  for (int i = 0; i < 8; i++) {
    out[i * 16 + lane] = columns[i];
    out[128 + i * 16 + lane] = bytes[i];
  }
}
