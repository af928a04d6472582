// vloadn and vstoren of every width at addresses aligned to one element only.
#define COPY(T, N) vstore##N(vload##N(i, from + 1) + (T##N)(1), i, to + 1 + base), base += N * n;
#define KERNEL(T)                                                                            \
  kernel void load_store_##T(global const T *from, global T *to) {                           \
    size_t i = get_global_id(0), n = get_global_size(0), base = 0;                           \
    COPY(T, 2) COPY(T, 3) COPY(T, 4) COPY(T, 8) COPY(T, 16)                                  \
  }
KERNEL(uchar)
KERNEL(ushort)
KERNEL(uint)
KERNEL(ulong)
KERNEL(float)
