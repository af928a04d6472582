// Variables that functions change through pointers: in structures, in arrays, chosen by conditions,
// two to one variable.
typedef struct {
    int *first;
    int *second;
} pair;

typedef struct {
    int base, step;
} rule;

static void add_to(int *target, const int *amount) { *target += *amount; }

static void exchange(int *one, int *other, const rule *by) {
    add_to(one, other);
    add_to(other, one);
    *one += by->step;
}

static void change(const pair *both, int number) {
    *both->first += number;
    if (number & 1)
        *both->second -= *both->first;
}

static void redirect(pair *both, int *other) {
    both->first = both->second;
    both->second = other;
}

static void renew(const rule *from, rule *to) {
    *to = *from;
    to->base += to->step;
}

static int *larger(int *one, int *other) { return *one < *other ? other : one; }

__kernel void writers(__global int *out, const int base, const int step, const int rounds) {
    const int id = get_global_id(0);
    int x = id, y = 2 * id + 1, z = 5, sum = 0;
    const rule by = {base, step};
    rule own = by;
    pair both = {&x, &y};
    add_to(&x, &x);
    exchange(&x, &y, &by);
    sum += x * 3 + y;
    for (int round = 0; round < rounds; ++round) {
        change(&both, round);
        if (round == 1)
            redirect(&both, &z);
        sum = sum * 5 + x - y + z;
    }
    renew(&by, &own);
    sum ^= own.base;
    add_to(id & 1 ? &x : &own.step, &own.base);
    exchange(&own.base, &z, &own);
    sum += own.base + own.step;
    int *ways[2] = {&x, &z};
    *ways[id >> 1 & 1] += 3;
    exchange(larger(&x, &z), &sum, &own);
    *larger(&y, &own.step) -= sum;
    sum += x + y + z;
    rule *last = &own;
    last->step = y;
    const int result = sum ^ own.step ^ by.step;
    out[id] = result;
}
