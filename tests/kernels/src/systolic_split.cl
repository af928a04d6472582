// Matrix products of two sub-groups, each of which has half of the rows of the left matrix for both:
// of bytes, and of halves with 8, 4 and 2 rows. dg2 only.
// Extension cl_intel_subgroup_split_matrix_multiply_accumulate.
// Compiled with -cl-std=CL3.0.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define SUB_GROUP __attribute__((intel_reqd_sub_group_size(8)))

SUB_GROUP kernel void
split_bytes(global const int4 *a, global const int8 *b, global int8 *c) {
  const int lane = get_global_id(0);
  c[lane] = intel_sub_group_i8_i8_split_matrix_mad_k32(a[lane], b[lane], c[lane]);
}

SUB_GROUP kernel void
split_halves(global const int4 *a, global const int8 *b, global float8 *c) {
  const int lane = get_global_id(0);
  c[lane] = intel_sub_group_f16_f16_split_matrix_mad_k16(a[lane], b[lane], c[lane]);
}

// Both threads of a pair go round a loop, and overwrite what the other has read.
SUB_GROUP kernel void
split_again(global const int2 *a, global const int8 *b, global float4 *c, int turns) {
  const int lane = get_global_id(0);
  float4 sums = c[lane];
  for (int turn = 0; turn < turns; ++turn)
    sums = intel_sub_group_f16_f16_split_matrix_mad_k16(a[lane + turn * get_global_size(0)],
                                                        b[lane], sums);
  c[lane] = sums;
}

SUB_GROUP kernel void
split_pair(global const int *a, global const int8 *b, global float2 *c) {
  const int lane = get_global_id(0);
  c[lane] = intel_sub_group_f16_f16_split_matrix_mad_k16(a[lane], b[lane], c[lane]);
}
