/* Planted: the tile has 16 elements, and what lies behind it belongs to another array. */
kernel void overlap(global const int *in, global int *out) {
  local int both[32];
  int i = get_global_id(0), l = get_local_id(0);
  both[16 + l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) both[l * 6] = -l;  /* guilty */
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = both[16 + l];
}
