// How near the points of the cells around are; and the cell of a table that a key is in.
__kernel void cells(__global const float2 *points, __global const uchar *first, __global const uchar *count,
                    __global const uchar *keys, __global float *near, __global uint *places,
                    int side, int points_in_all, float reach) {
    const int id = get_global_id(0);
    const float2 own = points[id];
    const int2 cell = (int2)(id % side, id / side);
    float sum = 0.0f;
    int found = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int2 other = cell + (int2)(dx, dy);
            if (any(other < 0) || any(other >= side))
                continue;
            const int at = other.y * side + other.x;
            const int begin = first[at] % points_in_all, end = min(begin + (count[at] & 3), points_in_all);
            for (int i = begin; i < end; i++) {
                const float2 apart = points[i] - own;
                const float square = apart.x * apart.x + apart.y * apart.y;
                if (square > reach)
                    continue;
                sum += square;
                found++;
            }
        }
    const uchar key = keys[id] & 31;
    uint place = key & 7;
    uchar probes = 0;
    bool more = true;
    while (more && probes < 8) {
        probes++;
        for (uint slot = 0; slot < 4; slot++) {
            const uchar there = keys[place * 4 + slot] & 31;
            if (there == 0) {
                more = false;
                break;
            }
            if (there != key)
                continue;
            found += slot;
        }
        place = (place + 1) & 7;
    }
    near[id] = sum;
    places[id] = place * 16 + probes + found;
}
