// One step of k-means: nearest centre of each point, sums of each cluster.
kernel void k_means(global const float2 *points, global const float2 *centres, int clusters,
                    global int *nearest, volatile global int *sums) {
  size_t i = get_global_id(0);
  float2 p = points[i];
  float least = INFINITY;
  int best = -1;
  for (int c = 0; c < clusters; ++c) {
    float2 d = p - centres[c];
    float squared = dot(d, d);
    if (squared < least) {
      least = squared;
      best = c;
    }
  }
  nearest[i] = best;
  atomic_add(&sums[3 * best], (int)p.x);
  atomic_add(&sums[3 * best + 1], (int)p.y);
  atomic_inc(&sums[3 * best + 2]);
}
