// Two-dimensional blocks of words: read, prefetched, read transformed, several at once, and written.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void block_2d(global ushort *in, global ushort *out, global uint *pairs, int width,
                     int height, int pitch, int x, int y) {
  ushort words[8], twice[16];
  uint transformed[16];
  int2 corner = (int2)(x, y);
  int lane = get_sub_group_local_id();
  intel_sub_group_2d_block_prefetch_16b_8r16x1c(in, width, height, pitch, corner);
  intel_sub_group_2d_block_read_16b_8r16x1c(in, width, height, pitch, corner, words);
  intel_sub_group_2d_block_write_16b_8r16x1c(out, width, height, pitch, corner, words);
  intel_sub_group_2d_block_read_transform_16b_32r16x1c(in, width, height, pitch, corner,
                                                       transformed);
  intel_sub_group_2d_block_read_16b_8r16x2c(in, width, height, pitch, corner, twice);
  for (int i = 0; i < 16; i++) {
    pairs[i * 16 + lane] = transformed[i];
    pairs[256 + i * 16 + lane] = twice[i];
  }
}
