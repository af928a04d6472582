// Blocks of an image that a sub-group reads and writes together.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void copy_blocks(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_group_id(0) * 64, get_global_id(1) * 4);
  uint4 rows = intel_sub_group_block_read4(from, p);
  intel_sub_group_block_write4(to, p, rows.wzyx);
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void copy_short_blocks(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_group_id(0) * 32, get_global_id(1) * 2);
  ushort2 rows = intel_sub_group_block_read_us2(from, p);
  intel_sub_group_block_write_us2(to, p, rows.yx);
}
