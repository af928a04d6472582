// Light past a mass, as a clock sees it: the variance of the clock's steps, the way of the light,
// and how much of it arrives, by the largest of a group.
typedef struct {
    __global const float *ticks;
    int count;
} clock_t;

float tick_of(const clock_t *clock, int index)
{
    return clock->ticks[index % clock->count] - 0.5f;
}

float3 pull_at(float3 place, float spin2)
{
    const float square = dot(place, place);
    const float fifth = square * square * sqrt(square);
    return place * (-1.5f * spin2 / fifth);
}

float left_after(float way, float loss)
{
    return exp(-loss * way);
}

__kernel void worldline(__global const float *ticks, __global float *peaks, __global float4 *ends,
                        int count, int steps, float step, float loss)
{
    __local float found[16];
    const int lid = get_local_id(0);
    const int group = get_group_id(0);
    const int index = get_global_id(0);
    const clock_t clock = {ticks, count};
    const float peak_before = peaks[group];

    float variance = 0.5f, likely = 0.0f, shock = 0.0f;
    for (int t = 0; t < count; t++) {
        if (t > 0) {
            const float square = shock * shock;
            variance = 0.1f + 0.3f * square + 0.5f * variance;
        }
        shock = tick_of(&clock, index + t);
        likely -= shock * shock / variance;
    }

    float3 place = (float3)(0.2f * (float)index, 1.0f, -3.0f);
    float3 towards = normalize((float3)(shock, 0.0f, 1.0f));
    const float3 spin = cross(place, towards);
    const float spin2 = dot(spin, spin);
    float way = 0.0f;
    for (int k = 0; k < steps; k++) {
        const float far = length(place);
        if (far < 1.0f || far > 6.0f)
            break;
        const float stride = step * (far - 0.5f);
        const float3 half_way = towards + pull_at(place, spin2) * (0.5f * stride);
        place = place + half_way * stride;
        towards = half_way + pull_at(place, spin2) * (0.5f * stride);
        way += stride;
    }

    const float arriving = left_after(way, loss);
    const float shown = 0.5f * way * arriving;
    found[lid] = fmax(peak_before, shown);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        float peak = 0.0f;
        for (int each = 0; each < 16; each++)
            peak = fmax(peak, found[each]);
        peaks[group] = peak;
    }
    ends[index] = (float4)(place, likely);
}
