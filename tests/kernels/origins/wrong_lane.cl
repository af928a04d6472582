/* Planted: the neighbour is one lane away, not two. */
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void wrong_lane(global const int *in, global int *out) {
  int i = get_global_id(0);
  int mine = in[i];
  int other = intel_sub_group_shuffle(mine, get_sub_group_local_id() ^ 2);  /* guilty */
  out[i] = other + mine * 100;
}
