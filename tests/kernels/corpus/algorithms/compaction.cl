// The positive elements of each work-group moved together, in order, by a scan.
kernel void compaction(global const int *in, global int *out, global int *counts) {
  local int sums[2][128];
  int l = get_local_id(0), size = get_local_size(0), now = 0;
  int x = in[get_global_id(0)], keep = x > 0;
  sums[0][l] = keep;
  for (int step = 1; step < size; step *= 2, now ^= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[now ^ 1][l] = sums[now][l] + (l >= step ? sums[now][l - step] : 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (keep) out[get_group_id(0) * size + sums[now][l] - 1] = x;
  if (l == size - 1) counts[get_group_id(0)] = sums[now][l];
}
