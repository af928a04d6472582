#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
// Calls through a table of functions that differs from lane to lane.
typedef int (*operation)(int);
__attribute__((noinline)) int twice(int x){ return 2*x + 3; }
__attribute__((noinline)) int negate(int x){ return -x - 1; }
__attribute__((noinline)) int cube(int x){ return x*x*x; }
kernel void function_pointers(global const int *p, global int *out){
  size_t i=get_global_id(0);
  operation table[3] = {twice, negate, cube};
  operation f = table[p[i] % 3];
  out[i]=f((int)i);
}
