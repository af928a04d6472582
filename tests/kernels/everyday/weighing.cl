// Splits each chain of residues in front of every link but the last, and counts the pieces that a
// spectrum of masses has: some of them carry two charges.
#define BINS 64

typedef struct {
    int count;
    int strength;
} Series;

int mass_of(uchar code)
{
    switch (code % 6) {
    case 0: return 57;
    case 1: return 71;
    case 2: return 87;
    case 3: return 97;
    case 4: return 113;
    default: return 128;
    }
}

bool match(__local const uchar *spectrum, int mass, Series *series)
{
    const int bin = mass / 12;
    if (bin < 0 || bin >= BINS)
        return false;
    const uchar strength = spectrum[bin];
    if (strength == 0)
        return false;
    series->count++;
    series->strength += strength;
    return true;
}

__kernel void weighing(__global const uchar *chains, __global const uchar *peaks,
                     __global int *scores, __global int *steps, int length)
{
    __local uchar spectrum[BINS];
    const int lid = get_local_id(0);
    const int index = get_global_id(0);
    for (int bin = lid; bin < BINS; bin += get_local_size(0)) {
        const uchar peak = peaks[bin];
        spectrum[bin] = peak > 90 ? peak - 90 : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    __global const uchar *chain = chains + index * length;
    int total = 18;
    for (int i = 0; i < length; i++)
        total += mass_of(chain[i]);

    Series front = {0, 0};
    Series back = {0, 0};
    int found = 0;
    int prefix = 0;
    for (int i = 0; i + 1 < length; i++) {
        const uchar code = chain[i];
        prefix += mass_of(code);
        const int charges = code % 6 == 5 ? 2 : 1;
        for (int charge = 1; charge <= charges; charge++) {
            const int front_mass = prefix / charge + 1;
            const int back_mass = (total - prefix) / charge + 1;
            bool matched = match(spectrum, front_mass, &front);
            matched |= match(spectrum, back_mass, &back);
            if (matched)
                found |= 1 << i;
        }
    }
    scores[index] = front.count * back.count + front.strength + back.strength;
    steps[index] = found;
}
