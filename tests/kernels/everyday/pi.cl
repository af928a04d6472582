// Counts random points of the unit square that lie in the circle, with a xorshift generator for each work-item.
typedef struct {
  uint x, y, z, w;
} Generator;

uint next(Generator *g) {
  uint t = g->x ^ (g->x << 11);
  g->x = g->y;
  g->y = g->z;
  g->z = g->w;
  g->w = g->w ^ (g->w >> 19) ^ t ^ (t >> 8);
  return g->w;
}

float uniform(Generator *g) { return (next(g) >> 8) * (1.0f / 16777216.0f); }

kernel void pi(global uint *hits, uint seed, int samples, local uint *partial) {
  uint gid = get_global_id(0);
  uint lid = get_local_id(0);
  Generator g;
  g.x = seed + gid * 2654435761u;
  g.y = 362436069u ^ gid;
  g.z = 521288629u;
  g.w = 88675123u + seed;

  uint inside = 0;
  for (int i = 0; i < samples; i++) {
    float x = uniform(&g);
    float y = uniform(&g);
    float radius = x * x + y * y;
    if (radius <= 1.0f)
      inside++;
  }
  partial[lid] = inside;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    if (lid < stride)
      partial[lid] += partial[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    hits[get_group_id(0)] = partial[0];
}
