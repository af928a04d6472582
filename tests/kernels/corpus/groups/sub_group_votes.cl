// Votes and sub-group queries, also where only some lanes are active.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel __attribute__((intel_reqd_sub_group_size(16))) void sub_group_votes(global const int *in,
                                                                           global int *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  int x = in[i];
  out[i] = sub_group_any(x > 90) + 2 * sub_group_all(x > -90) + 4 * sub_group_all(x < 95);
  out[n + i] = get_sub_group_size() + 100 * get_sub_group_id() + 1000 * get_num_sub_groups() +
               100000 * get_sub_group_local_id() + get_max_sub_group_size();
  int count = 0;
  for (int k = 0; sub_group_any(k < (x & 7)); ++k) {
    if (k < (x & 7)) count += k;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[2 * n + i] = count;
}
