// Values between the lanes of a sub-group, of every size.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define SHUFFLES(T)                                                                          \
  kernel __attribute__((intel_reqd_sub_group_size(16))) void shuffles_##T(                   \
      global const T *in, global const uint *lanes, global T *out) {                         \
    size_t i = get_global_id(0), n = get_global_size(0);                                     \
    T x = in[i], y = in[n - 1 - i];                                                          \
    uint lane = lanes[i] & 15;                                                               \
    out[i] = intel_sub_group_shuffle(x, lane);                                               \
    out[n + i] = intel_sub_group_shuffle_xor(x, 5);                                          \
    out[2 * n + i] = intel_sub_group_shuffle_down(x, y, 3);                                  \
    out[3 * n + i] = intel_sub_group_shuffle_up(x, y, 2);                                    \
    out[4 * n + i] = intel_sub_group_shuffle(x, 7u);                                         \
  }
SHUFFLES(int)
SHUFFLES(float)
SHUFFLES(ulong)
SHUFFLES(short)
SHUFFLES(float4)
