// Numbers in rows of four without a neighbour that is equal, by trial and error.
#define CELLS 4

__kernel void backtracking(__global const uchar *given, __global uchar *found, __global int *tries,
                           int most)
{
    const int id = get_global_id(0);
    uchar cells[CELLS];
    for (int c = 0; c < CELLS; c++)
        cells[c] = 0;
    int at = 0;
    int steps = 0;
    bool back = false;
    while (steps < most && (at < CELLS || back)) {
        steps++;
        if (back) {
            if (at == 0)
                break;
            at--;
        }
        const uchar next = cells[at] + 1;
        const uchar before = at ? cells[at - 1] : 0;
        const uchar no = given[id * CELLS + at] % 5;
        if (next > 4) {
            cells[at] = 0;
            back = true;
            continue;
        }
        cells[at] = next;
        back = next == before || next == no;
        at++;
    }
    for (int c = 0; c < CELLS; c++)
        found[id * CELLS + c] = cells[c];
    tries[id] = steps;
}
