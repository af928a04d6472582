// Each group draws its items in the order of their scores, a few of them. A tournament in local
// memory finds the next one; functions change their own copy of what each item enters with.
#define ENTRANTS 16

typedef struct {
    int score;
    int item;
} Entrant;

bool is_ahead(Entrant one, Entrant other)
{
    if (one.score != other.score)
        return one.score > other.score;
    return one.item < other.item;
}

Entrant winner_of(Entrant own, __local Entrant *entrants)
{
    const int lid = get_local_id(0);
    entrants[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int left = ENTRANTS / 2; left > 0; left >>= 1) {
        if (lid < left) {
            const Entrant rival = entrants[lid + left];
            if (is_ahead(rival, own))
                own = rival;
            entrants[lid] = own;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const Entrant winner = entrants[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return winner;
}

__kernel void winners(__global const int *scores, __global int *places, __global int *sums,
                      int rounds)
{
    __local Entrant entrants[ENTRANTS];
    const int lid = get_local_id(0);
    const int index = get_global_id(0);

    Entrant own;
    own.score = scores[index] & 0xff;
    own.item = lid;
    int place = -1;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const Entrant winner = winner_of(own, entrants);
        if (winner.item == lid) {
            place = round;
            own.score = -1;
        }
        sum += winner.score;
    }
    places[index] = place;
    sums[index] = sum + own.score;
}
