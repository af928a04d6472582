/* Planted: nobody writes the last element of the tile. */
kernel void uninitialised(global const int *in, global int *out) {
  local int tile[16];
  int i = get_global_id(0), l = get_local_id(0);
  if (l < 15) tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[15 - l];  /* guilty */
}
