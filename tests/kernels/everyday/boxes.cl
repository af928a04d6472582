// Forces between the particles of a box and those of its neighbour boxes, with an
// exponentially screened potential. One work-group per home box, one work-item per particle.

typedef struct {
    float v;
    float x, y, z;
} force_t;

inline float dot_xyz(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline void accumulate(force_t *sum, float charge, float potential, float scale, float4 delta)
{
    sum->v += charge * potential;
    sum->x += charge * scale * delta.x;
    sum->y += charge * scale * delta.y;
    sum->z += charge * scale * delta.z;
}

kernel void boxes(global const float4 *positions,
                  global const float *charges,
                  global const uint *neighbours,
                  global force_t *forces,
                  const float alpha,
                  const int neighbour_count,
                  const float cutoff,
                  local float4 *tile_positions,
                  local float *tile_charges)
{
    const int home = get_group_id(0);
    const int particle = get_local_id(0);
    const int per_box = get_local_size(0);
    const uint box_count = get_num_groups(0);
    const int first_home = home * per_box;
    const float a2 = 2.0f * alpha * alpha;
    const float cutoff2 = cutoff * cutoff;

    float4 mine = positions[first_home + particle];
    force_t total;
    total.v = 0.0f;
    total.x = 0.0f;
    total.y = 0.0f;
    total.z = 0.0f;
    int skipped = 0;

    for (int k = 0; k <= neighbour_count; k++) {
        // The home box comes first, then the listed ones.
        int box = home;
        if (k > 0)
            box = (int)(neighbours[home * neighbour_count + k - 1] % box_count);
        int first = box * per_box;

        tile_positions[particle] = positions[first + particle];
        tile_charges[particle] = charges[first + particle];
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int j = 0; j < per_box; j++) {
            float4 other = tile_positions[j];
            float4 delta = mine - other;
            float r2 = dot_xyz(delta, delta);
            if (r2 > cutoff2) {
                skipped++;
                continue;
            }
            float u2 = a2 * r2;
            float vij = exp(-u2);
            float fs = 2.0f * vij;
            accumulate(&total, tile_charges[j], vij, fs, delta);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    float examined = (float)((neighbour_count + 1) * per_box);
    float coverage = 1.0f - (float)skipped / examined;
    total.v *= coverage;
    forces[first_home + particle] = total;
}
