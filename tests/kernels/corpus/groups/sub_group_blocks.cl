// Block reads and writes of a sub-group: every element size and count that it has.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_char : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_long : enable
#define BLOCKS(NAME, T, SUFFIX)                                                              \
  kernel __attribute__((intel_reqd_sub_group_size(16))) void NAME(global const T *in,        \
                                                                  global T *out) {           \
    size_t first = get_group_id(0) * 16 * 15;                                                \
    global const T *from = in + first;                                                       \
    global T *to = out + first;                                                              \
    T x = intel_sub_group_block_read##SUFFIX(from);                                          \
    T##2 x2 = intel_sub_group_block_read##SUFFIX##2(from + 16);                              \
    T##4 x4 = intel_sub_group_block_read##SUFFIX##4(from + 48);                              \
    T##8 x8 = intel_sub_group_block_read##SUFFIX##8(from + 112);                             \
    T lane = (T)get_sub_group_local_id();                                                    \
    intel_sub_group_block_write##SUFFIX(to, x + lane);                                       \
    intel_sub_group_block_write##SUFFIX##2(to + 16, x2.yx + lane);                           \
    intel_sub_group_block_write##SUFFIX##4(to + 48, x4.wzyx * (T)3);                         \
    intel_sub_group_block_write##SUFFIX##8(to + 112, x8.s76543210 ^ lane);                   \
  }
BLOCKS(blocks_uchar, uchar, _uc)
BLOCKS(blocks_ushort, ushort, _us)
BLOCKS(blocks_uint, uint, )
BLOCKS(blocks_ulong, ulong, _ul)
