// Bookings of the rooms of hotels, of at most 48 each: how many hours each one overlaps those after
// it that are for a room on the same floor, up to the first one that begins well after it.
#define MOST 48
#define GROUP 16

typedef struct {
    uchar begin, hours;
    uchar floor, guests;
} booking;

__kernel void clashes(__global const booking *all, __global int *overlaps, int given,
                      int most_guests)
{
    const int first = get_group_id(0) * given;
    const int count = min(given, MOST);
    __global const booking *own = all + first;

    for (int i = get_local_id(0); i < count; i += GROUP) {
        booking a = own[i];
        int sum = 0;
        if (a.guests <= most_guests) {
            for (int j = i + 1; j < count; j++) {
                booking b = own[j];
                if (b.begin >= a.begin + a.hours / 6)
                    break;
                if (a.floor % 2 != b.floor % 2)
                    continue;
                int until = min(a.begin + a.hours, b.begin + b.hours);
                if (until > b.begin + 1)
                    sum += until - b.begin;
            }
        }
        overlaps[first + i] = sum;
    }
}
