// The nearest images of neighbours in a box that repeats itself, and how much each weighs at a
// place on a ring of them.
float2 nearest_image(float2 from, float2 to, float box)
{
    const float2 apart = to - from;
    const float2 turns = rint(apart / box);
    const float2 shift = turns * box;
    return apart - shift;
}

float ring_weight(int place, int places)
{
    const float step = 6.0f / (float)places;
    const float here = step * (float)place;
    const float next = here + step;
    return here * 0.25f + next;
}

__kernel void wrapped(__global const float2 *sites, __global float2 *pulls,
                      __global float *weights, int count, float box, float reach)
{
    const int index = get_global_id(0);
    const float2 own = sites[index] * box;
    float2 pull = (float2)(0.0f);
    float weight = 0.0f;
    for (int other = 0; other < count; other++) {
        const float2 there = sites[other] * box;
        const float2 image = nearest_image(own, there, box);
        const float square = image.x * image.x + image.y * image.y;
        if (square > reach * reach)
            continue;
        const float share = ring_weight(other, count);
        pull += image * share;
        weight += share;
    }
    pulls[index] = pull;
    weights[index] = weight;
}
