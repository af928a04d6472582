// Every integer built-in of OpenCL C for every width and signedness.
#define BUILTINS(T, U)                                                                       \
  kernel void builtins_##T(global const T *a, global const T *b, global const T *c,          \
                           global T *out, global U *differences) {                           \
    size_t i = get_global_id(0), n = get_global_size(0);                                     \
    T x = a[i], y = b[i], z = c[i];                                                          \
    out[i] = add_sat(x, y);                                                                  \
    out[n + i] = sub_sat(x, y);                                                              \
    out[2 * n + i] = hadd(x, y);                                                             \
    out[3 * n + i] = rhadd(x, y);                                                            \
    out[4 * n + i] = mul_hi(x, y);                                                           \
    out[5 * n + i] = mad_sat((T)(x | 1), (T)(y | 1), z);                                                     \
    out[6 * n + i] = rotate(x, y);                                                           \
    out[7 * n + i] = clz(x);                                                                 \
    out[8 * n + i] = popcount(x);                                                            \
    out[9 * n + i] = min(x, y) ^ max(y, z);                                                  \
    out[10 * n + i] = clamp(x, (T)10, (T)100);                                               \
    out[11 * n + i] = (T)((x & y) | (~x & z));                                               \
    differences[i] = abs_diff(x, y);                                                         \
    differences[n + i] = abs(x);                                                             \
  }
BUILTINS(char, uchar)
BUILTINS(uchar, uchar)
BUILTINS(short, ushort)
BUILTINS(ushort, ushort)
BUILTINS(int, uint)
BUILTINS(uint, uint)
BUILTINS(long, ulong)
BUILTINS(ulong, ulong)
