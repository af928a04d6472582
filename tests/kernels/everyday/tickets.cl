// A counting sort in local memory: each work-item draws the number that its key has among the same
// ones, then neighbours in the sorted order are compared. Work-items side by side have the same key.
#define KEYS 16
#define ITEMS 32

typedef struct {
    uint key;
    float weight;
} entry;

__kernel void tickets(__global float *weights, __global int *ranks, __global uint *served,
                      const uint factor, const float limit) {
    __local int counts[KEYS];
    __local entry sorted[ITEMS];
    const int lane = get_local_id(0), id = get_global_id(0);
    const uint key = lane / 2 * factor % KEYS;
    if (lane < KEYS)
        counts[lane] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int ticket = atomic_inc(&counts[key]);
    const uint before = atomic_xchg(&served[id], key);
    barrier(CLK_LOCAL_MEM_FENCE);
    int rank = ticket;
    for (uint each = 0; each < key; ++each)
        rank += counts[each];
    sorted[rank].key = key;
    sorted[rank].weight = weights[id] + (before & 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    int same = 0;
    for (int other = max(rank - 2, 0); other <= min(rank + 2, ITEMS - 1); ++other) {
        const float weight = sorted[other].weight;
        if (weight > limit)
            continue;
        sum += weight;
        same += sorted[other].key == key;
    }
    weights[id] = sum * same;
    ranks[id] = rank;
}
