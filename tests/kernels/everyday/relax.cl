// Rows of a plate that each work-group relaxes in place. What functions need comes in structures: one
// is passed to the kernel by value, the other one has pointers to local memory.
#define WIDTH 16

typedef struct {
    int pitch, rounds;
    float rate, limit;
} settings;

typedef struct {
    __local const float *values;
    __local const uchar *kinds;
} row_view;

typedef struct {
    float value, moved;
} cell;

static float mean_around(const row_view *row, int at) {
    float sum = 0.0f;
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        const int other = at + side;
        if (other < 0 || other >= WIDTH)
            continue;
        const int weight = row->kinds[other] & 1 ? 2 : 1;
        sum += weight * row->values[other];
        count += weight;
    }
    return sum / count;
}

static void relax_cell(cell *own, const settings *by, const row_view *row, int at) {
    const float wanted = mean_around(row, at);
    const float change = by->rate * (wanted - own->value);
    const float step = clamp(change, -by->limit, by->limit);
    own->value += step;
    own->moved += fabs(step);
}

__kernel void relax(__global float *plate, __global const uchar *kinds, __global float *moved,
                    const settings by) {
    __local float values[WIDTH];
    __local uchar own_kinds[WIDTH];
    const int at = get_local_id(0), group = get_group_id(0);
    const size_t begin = (size_t)group * by.pitch;
    cell own = {plate[begin + at], 0.0f};
    row_view row = {values, own_kinds};
    own_kinds[at] = kinds[begin + at];
    for (int round = 0; round < by.rounds; ++round) {
        values[at] = own.value;
        barrier(CLK_LOCAL_MEM_FENCE);
        relax_cell(&own, &by, &row, at);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    plate[begin + at] = own.value;
    moved[begin + at] = own.moved;
}
