// assert() as SYCL's library calls it; the compiler has the function.
void __devicelib_assert_fail(constant const char *expression, constant const char *file, int line,
                             constant const char *function, ulong global_x, ulong global_y,
                             ulong global_z, ulong local_x, ulong local_y, ulong local_z);
kernel void assertions(global const int *p, global int *out) {
  size_t i = get_global_id(0);
  if (p[i] > 100)
    __devicelib_assert_fail("p[i] <= 100", "assertions.cl", 8, "assertions", i, 0, 0,
                            get_local_id(0), 0, 0);
  out[i] = p[i];
}
