// All shortest paths of a graph of 16 vertices, and the vertex before the last.
kernel void floyd_warshall(global int *distance, global int *before) {
  int x = get_local_id(0), y = get_local_id(1);
  for (int k = 0; k < 16; ++k) {
    int through = distance[y * 16 + k] + distance[k * 16 + x];
    bool shorter = through < distance[y * 16 + x];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (shorter) {
      distance[y * 16 + x] = through;
      before[y * 16 + x] = k;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
