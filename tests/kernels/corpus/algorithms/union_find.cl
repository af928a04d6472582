// Connected components by lowering labels until nothing changes.
kernel void union_find(global const int2 *edges, int count, global int *labels) {
  local int label[64];
  local int changed;
  int l = get_local_id(0);
  label[l] = l;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < count; k += 64) {
      int a = label[edges[k].x], b = label[edges[k].y];
      if (a != b) {
        atomic_min(&label[max(a, b)], min(a, b));
        atomic_min(&label[edges[k].x], min(a, b));
        atomic_min(&label[edges[k].y], min(a, b));
        changed = 1;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (changed);
  labels[l] = label[l];
}
