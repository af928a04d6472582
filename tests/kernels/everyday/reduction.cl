kernel void reduction(global float *sums, global const float *in, local float *part, uint n) {
  uint gid = get_global_id(0), lid = get_local_id(0);
  uint items = get_global_size(0);
  float own = 0;
  for (uint i = gid; i < n; i += items)
    own += in[i];
  part[lid] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
    if (lid < reach) {
      float mine = part[lid], other = part[lid + reach];
      float both = mine + other;
      part[lid] = both;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float total = part[0];
  float mean = total / n;
  if (lid == 0) {
    uint group = get_group_id(0);
    sums[group] = mean;
  }
}
