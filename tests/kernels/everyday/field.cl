// How far points are from the nearest of some balls that melt into each other.
float melted(float a, float b, float width)
{
    float share = clamp(0.5f + 0.5f * (b - a) / width, 0.0f, 1.0f);
    return mix(b, a, share) - width * share * (1.0f - share);
}

float distance_to(float3 point, __global const float4 *balls, int count, int *nearest)
{
    float least = point.y + 0.6f;
    int found = -1;
    for (int i = 0; i < count; i++) {
        float4 ball = balls[i];
        float3 centre = ball.xyz * 1.5f - 0.75f;
        float radius = 0.125f + 0.25f * ball.w;
        float3 away = point - centre;
        float outside = dot(away, away) - radius;
        found = outside < least ? i : found;
        least = melted(least, outside, 0.125f);
    }
    *nearest = found;
    return least;
}

__kernel void field(__global const float4 *balls, __global float *out, __global int *which,
                    int count)
{
    int id = get_global_id(0);
    float3 point = (float3)(0.25f * id, 0.5f, -0.125f * id);
    int nearest = -1;
    float here = distance_to(point, balls, count, &nearest);
    float3 lower = point - (float3)(0.0f, here, 0.0f);
    int below = -1;
    float there = distance_to(lower, balls, count, &below);
    out[id] = here - there;
    which[id] = nearest * 16 + below;
}
