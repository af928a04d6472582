// What a work-item of a three-dimensional range knows of its place.
#if __OPENCL_C_VERSION__ < 200
#define get_global_linear_id()                                                               \
  (((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) -      \
    get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0))
#define get_local_linear_id()                                                                \
  ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#endif
kernel void range_queries(global int *out) {
  int i = get_global_linear_id();
  int total = get_global_size(0) * get_global_size(1) * get_global_size(2);
  out[i] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
  out[total + i] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2);
  out[2 * total + i] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(2);
  out[3 * total + i] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
  out[4 * total + i] = get_num_groups(0) + 100 * get_num_groups(1) + 10000 * get_num_groups(2);
  out[5 * total + i] =
      get_global_offset(0) + 100 * get_global_offset(1) + 10000 * get_global_offset(2);
  out[6 * total + i] = get_local_linear_id() + 1000 * get_work_dim();
}
