// Quotients and remainders of every width: by variables, constants and powers of two.
#define DIVISION(T)                                                                          \
  kernel void divide_##T(global const T *a, global const T *b, global T *out) {              \
    size_t i = get_global_id(0), n = get_global_size(0);                                     \
    T x = a[i], y = b[i];                                                                    \
    out[i] = x / y;                                                                          \
    out[n + i] = x % y;                                                                      \
    out[2 * n + i] = x / (T)7;                                                               \
    out[3 * n + i] = x % (T)100;                                                             \
    out[4 * n + i] = x / (T)16;                                                              \
    out[5 * n + i] = x % (T)32;                                                              \
  }
DIVISION(char)
DIVISION(uchar)
DIVISION(short)
DIVISION(ushort)
DIVISION(int)
DIVISION(uint)
DIVISION(long)
DIVISION(ulong)
