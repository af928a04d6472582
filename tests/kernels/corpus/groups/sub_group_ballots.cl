// Ballots, non-uniform and clustered operations.
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable
kernel __attribute__((intel_reqd_sub_group_size(16))) void sub_group_ballots(global const int *in,
                                                                             global int *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  int x = in[i];
  uint4 ballot = sub_group_ballot(x > 0);
  out[i] = (int)ballot.x;
  out[n + i] = (int)sub_group_ballot_bit_count(ballot) +
               100 * (int)sub_group_ballot_inclusive_scan(ballot);
  int sum = 0, first = 0, elected = 0;
  if (x > 0) {
    sum = sub_group_non_uniform_reduce_add(x);
    first = sub_group_broadcast_first(x);
    elected = sub_group_elect();
  }
  out[2 * n + i] = sum;
  out[3 * n + i] = first + 1000 * elected;
  out[4 * n + i] = sub_group_clustered_reduce_max(x, 4);
  out[5 * n + i] = sub_group_non_uniform_scan_inclusive_add(x);
  out[6 * n + i] = sub_group_shuffle_xor(x, 9);
}
