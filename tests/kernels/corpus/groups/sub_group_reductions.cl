// Sub-group reductions and scans of every operation and type, votes and broadcasts.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define REDUCTIONS(T)                                                                        \
  kernel __attribute__((intel_reqd_sub_group_size(16))) void reductions_##T(                 \
      global const T *in, global T *out) {                                                   \
    size_t i = get_global_id(0), n = get_global_size(0);                                     \
    T x = in[i];                                                                             \
    out[i] = sub_group_reduce_add(x);                                                        \
    out[n + i] = sub_group_reduce_min(x);                                                    \
    out[2 * n + i] = sub_group_reduce_max(x);                                                \
    out[3 * n + i] = sub_group_scan_inclusive_add(x);                                        \
    out[4 * n + i] = sub_group_scan_exclusive_add(x);                                        \
    out[5 * n + i] = sub_group_scan_inclusive_min(x);                                        \
    out[6 * n + i] = sub_group_scan_exclusive_max(x);                                        \
    out[7 * n + i] = sub_group_broadcast(x, 5);                                              \
  }
REDUCTIONS(int)
REDUCTIONS(uint)
REDUCTIONS(long)
REDUCTIONS(ulong)
REDUCTIONS(float)
