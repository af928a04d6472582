// Corners of a turning box that are below the ground.
float3 turned(float4 q, float3 v)
{
    const float3 t = 2.0f * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

kernel void tumble(global const float4 *turns, global float *depths, global int *touched,
                   float height, int steps)
{
    const int id = get_global_id(0);
    const float3 size = (float3)(0.3f, 0.2f, 0.4f);
    float4 q = normalize(turns[id] - 0.3f);
    float deepest = 0.0f, all = 0.0f;
    int mask = 0;

    for (int step = 0; step < steps; step++) {
        for (int corner = 0; corner < 4; corner++) {
            float3 own = size;
            if (corner & 1)
                own.x = 0.0f - own.x;
            if (corner & 2)
                own.z = 0.0f - own.z;
            const float3 arm = turned(q, own);
            const float depth = 0.0f - (height + arm.y);
            if (depth <= 0.0f)
                continue;
            deepest = fmax(deepest, depth);
            all += depth * arm.x;
            mask |= 1 << corner;
        }
        q = normalize(q + 0.1f);
    }
    depths[id] = deepest + all;
    touched[id] = mask;
}
