kernel void nearest(global int *owner, global int *counts, global const float2 *point,
                    global const float2 *middle, int clusters) {
  local int members[8];
  int i = get_global_id(0), lid = get_local_id(0);
  if (lid < clusters)
    members[lid] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float2 own = point[i];
  int best = 0;
  float least = INFINITY;
  for (int c = 0; c < clusters; c++) {
    float2 away = own - middle[c];
    float square = away.x * away.x + away.y * away.y;
    if (square < least) {
      least = square;
      best = c;
    }
  }
  owner[i] = best;
  int place = atomic_inc(&members[best]);
  barrier(CLK_LOCAL_MEM_FENCE);
  int size = members[best];
  bool is_last = place == size - 1;
  if (is_last)
    atomic_add(&counts[best], size);
}
