// Atomic minimum and maximum of halves, by their SPIR-V names.
half __attribute__((overloadable)) __spirv_AtomicFMinEXT(volatile global half *, int, int, half);
half __attribute__((overloadable)) __spirv_AtomicFMaxEXT(volatile global half *, int, int, half);
kernel void half_atomics(global half *f) {
  half v = (half)(get_global_id(0) - 3.5f);
  __spirv_AtomicFMinEXT(f, 1, 0, v);
  __spirv_AtomicFMaxEXT(f + 1, 1, 0, v);
}
