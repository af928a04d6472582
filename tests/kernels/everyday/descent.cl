// The leaves of a tree between which a range of keys is: two descents, each of
// which ends where the keys that are left are few.
typedef struct {
    int leaf;
    int visited;
} place;

place descend(int key, int span, int levels, int fanout) {
    place found;
    found.leaf = 0;
    found.visited = 0;
    int low = 0;
    int width = span;
    while (found.visited < levels) {
        const int part = width / fanout;
        int child = 0;
        while (child < fanout - 1 && key >= low + (child + 1) * part)
            child++;
        low += child * part;
        width = child == fanout - 1 ? width - child * part : part;
        found.leaf = fanout * found.leaf + child + 1;
        found.visited++;
        if (width < fanout)
            break;
    }
    return found;
}

__kernel void descent(__global const int *keys, __global int2 *leaves, int levels, int span, int fanout) {
    const int query = get_global_id(0);
    const int first = (keys[query] & 0xffff) % span;
    const int last = min(first + query, span - 1);
    const place start = descend(first, span, levels, fanout);
    const place end = descend(last, span, levels, fanout);
    leaves[query] = (int2)(start.leaf, end.leaf);
}
