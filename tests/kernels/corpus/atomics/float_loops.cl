// Float sums and maxima by compare-and-exchange loops, in global and local memory.
void add(volatile global float *address, float value) {
  uint old, sum;
  do {
    old = as_uint(*address);
    sum = as_uint(as_float(old) + value);
  } while (atomic_cmpxchg((volatile global uint *)address, old, sum) != old);
}
kernel void float_loops(global const float *in, global float *out) {
  local uint largest;
  size_t i = get_global_id(0);
  if (get_local_id(0) == 0) largest = as_uint(-1000.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  float x = in[i];
  add(out, x);
  uint old = largest;
  while (as_float(old) < x) {
    uint seen = atomic_cmpxchg(&largest, old, as_uint(x));
    if (seen == old) break;
    old = seen;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[1 + get_group_id(0)] = as_float(largest);
}
