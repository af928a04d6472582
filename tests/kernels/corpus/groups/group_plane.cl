// Collectives of a two-dimensional work-group.
kernel void group_plane(global const int *in, global int *out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  size_t n = get_global_size(0) * get_global_size(1);
  int x = in[i];
  out[i] = work_group_reduce_add(x);
  out[n + i] = work_group_broadcast(x, 3, 2);
  out[2 * n + i] = work_group_scan_exclusive_add(x);
}
