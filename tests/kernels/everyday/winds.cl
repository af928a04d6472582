// Waves on a ring of cells. A function that returns a structure makes it in place, where each of its
// calls has what it returned last until it sets it anew.
typedef struct {
    float height;
    float speed;
} Wave;

static inline Wave damped(Wave wave, float loss, float limit)
{
    Wave next;
    next.height = fmin(wave.height, limit) * loss;
    next.speed = wave.speed * loss - next.height;
    return next;
}

__kernel void winds(__global const float *heights, __global float *out, int rounds, float loss)
{
    __local Wave waves[18];
    const int lid = get_local_id(0);
    const int at = lid + 1;
    Wave own;
    own.height = heights[get_global_id(0)];
    own.speed = 0.0f;
    if (lid == 0) {
        waves[0] = own;
        waves[17] = own;
    }
    for (int round = 0; round < rounds; ++round) {
        waves[at] = own;
        barrier(CLK_LOCAL_MEM_FENCE);
        const Wave mine = damped(own, loss, 0.5f);
        const Wave sum = damped(damped(waves[at - 1], loss, 2.0f), loss, 1.0f);
        const Wave other = damped(waves[at + 1], loss, 2.0f);
        own.height += sum.height - other.height + mine.speed;
        own.speed = damped(other, loss, 1.0f).speed;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = own.height + own.speed;
}
