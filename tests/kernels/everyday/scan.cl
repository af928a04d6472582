kernel void scan(global int *out, global const int *in, local int *work, int n) {
  int gid = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
  int own = in[gid];
  work[lid] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < size; offset <<= 1) {
    int other = 0;
    if (lid >= offset)
      other = work[lid - offset];
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = work[lid] + other;
    work[lid] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int result = work[lid];
  int before = result - own;
  out[gid] = before;
}
