// Matrix products of a sub-group, 8 rows of 32 bytes times a column of 32 bytes in each lane; then of
// 16 halves. Extension cl_intel_subgroup_matrix_multiply_accumulate.
// Compiled with -cl-std=CL3.0, and for dg2, whose sub-groups have 8 lanes, with -DLANES_8.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#ifdef LANES_8
#define LANES 8
#define ROWS int8  // what a lane has of 8 rows of 32 bytes
#else
#define LANES 16
#define ROWS short8
#endif

__attribute__((intel_reqd_sub_group_size(LANES))) kernel void
multiply_bytes(global const ROWS *a, global const int8 *b, global int8 *c) {
  const int lane = get_global_id(0);
  c[lane] = intel_sub_group_i8_i8_matrix_mad_k32(a[lane], b[lane], c[lane]);
}

__attribute__((intel_reqd_sub_group_size(LANES))) kernel void
multiply_mixed(global const ROWS *a, global const int8 *b, global int8 *c) {
  const int lane = get_global_id(0);
  c[lane] = intel_sub_group_i8_u8_matrix_mad_k32(a[lane], as_uint8(b[lane]), c[lane]);
}

__attribute__((intel_reqd_sub_group_size(LANES))) kernel void
multiply_halves(global const ROWS *a, global const int8 *b, global float8 *c) {
  const int lane = get_global_id(0);
  c[lane] = intel_sub_group_f16_f16_matrix_mad_k16(a[lane], b[lane], c[lane]);
}
