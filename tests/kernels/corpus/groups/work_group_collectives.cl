// Collectives of a work-group of several sub-groups.
kernel void work_group_collectives(global const int *in, global int *out, global const long *wide,
                                   global long *wide_out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  int x = in[i];
  out[i] = work_group_reduce_add(x);
  out[n + i] = work_group_reduce_max(x) - work_group_reduce_min(x);
  out[2 * n + i] = work_group_scan_inclusive_add(x);
  out[3 * n + i] = work_group_scan_exclusive_max(x);
  out[4 * n + i] = work_group_broadcast(x, 19);
  out[5 * n + i] = work_group_any(x > 95) + 2 * work_group_all(x > -99);
  wide_out[i] = work_group_scan_inclusive_add(wide[i]);
}
