// Atomics on floats, where the compiler has them: sums of whole numbers, which no order changes.
#ifdef __opencl_c_ext_fp32_global_atomic_add
#define ADD(p, x) atomic_fetch_add_explicit((volatile global atomic_float *)(p), x, memory_order_relaxed, memory_scope_device)
#define MINIMUM(p, x) atomic_fetch_min_explicit((volatile global atomic_float *)(p), x, memory_order_relaxed, memory_scope_device)
#define MAXIMUM(p, x) atomic_fetch_max_explicit((volatile global atomic_float *)(p), x, memory_order_relaxed, memory_scope_device)
#else
#define LOOP(NAME, NEW)                                                                      \
  void NAME(volatile global float *p, float x) {                                             \
    uint old = as_uint(*p), seen;                                                            \
    while ((seen = atomic_cmpxchg((volatile global uint *)p, old, as_uint(NEW))) != old)     \
      old = seen;                                                                            \
  }
LOOP(add_float, as_float(old) + x)
LOOP(min_float, fmin(as_float(old), x))
LOOP(max_float, fmax(as_float(old), x))
#define ADD(p, x) add_float(p, x)
#define MINIMUM(p, x) min_float(p, x)
#define MAXIMUM(p, x) max_float(p, x)
#endif
kernel void float_atomics(volatile global float *words, global const float *in) {
  float x = in[get_global_id(0)];
  ADD(words, x);
  MINIMUM(words + 1, x);
  MAXIMUM(words + 2, x);
}
