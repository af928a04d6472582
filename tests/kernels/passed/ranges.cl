// Structures by value to a function that is called on the stack, and returns one.
typedef struct {
    int least, most, count;
    int spare[3];
} range;

range merged(range a, range b)
{
    range r;
    r.count = a.count + b.count;
    if (r.count == 0)
        return a;
    r.least = min(a.least, b.least);
    r.most = max(a.most, b.most);
    r.spare[0] = r.spare[1] = r.spare[2] = 0;
    return r;
}

__kernel void ranges(__global int *data, __local range *shared)
{
    const int id = get_local_id(0);
    range own;
    own.least = own.most = 10 * id;
    own.count = 1;
    own.spare[0] = own.spare[1] = own.spare[2] = id;
    shared[id] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    range both = merged(shared[id], shared[id ^ 1]);
    data[id] = both.most - both.least;
}
