// Blocks that a sub-group reads and writes together: bytes, words, dwords and qwords.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void sub_group_blocks(global uchar *c, global ushort *s, global uint *i, global ulong *l,
                             local uint *m) {
  int first = get_group_id(0) * 64;
  uchar4 a = intel_sub_group_block_read_uc4(c + first);
  ushort4 b = intel_sub_group_block_read_us4(s + first);
  uint4 d = intel_sub_group_block_read4(i + first);
  ulong2 e = intel_sub_group_block_read_ul2(l + first);
  intel_sub_group_block_write_uc4(c + first, a.wzyx + (uchar)1);
  intel_sub_group_block_write_us4(s + first, b.yxwz + (ushort)2);
  intel_sub_group_block_write4(i + first, d.zwxy + 3u);
  intel_sub_group_block_write_ul2(l + first, e.yx + 4ul);
}
