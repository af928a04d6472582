// Minimizers of a DNA read: the smallest hash of a canonical k-mer in each window.
// One read per work-item; the last W hashes are kept in a small ring.
#define K 9
#define W 5
#define KMER_MASK ((1UL << (2 * K)) - 1UL)
#define EMPTY ULONG_MAX

ulong mix64(ulong key)
{
    key = (~key + (key << 21)) & KMER_MASK;
    key ^= key >> 24;
    key = (key + (key << 3) + (key << 8)) & KMER_MASK;
    key ^= key >> 14;
    key = (key + (key << 2) + (key << 4)) & KMER_MASK;
    key ^= key >> 28;
    return key;
}

__kernel void minimizers(__global const uchar *reads,
                         __global ulong *picked,
                         __global uint *found,
                         __global uint *buckets,
                         uint read_count, uint read_length, uint capacity)
{
    const uint read = get_global_id(0);
    if (read >= read_count)
        return;

    __global const uchar *bases = reads + (size_t)read * read_length;
    ulong ring[W];
    for (int i = 0; i < W; ++i)
        ring[i] = EMPTY;

    ulong forward = 0, reverse = 0;
    ulong last = EMPTY;
    uint run = 0, emitted = 0, slot = 0;

    for (uint pos = 0; pos < read_length; ++pos) {
        const uchar code = bases[pos];
        if (code >= 250) {              /* an N: start again */
            run = 0;
            forward = reverse = 0;
            continue;
        }
        const ulong base = code & 3;
        forward = ((forward << 2) | base) & KMER_MASK;
        reverse = (reverse >> 2) | ((3UL - base) << (2 * (K - 1)));
        if (++run < K)
            continue;

        const bool flipped = reverse < forward;
        const ulong hash = mix64(flipped ? reverse : forward);
        ring[slot] = (hash << 8) | (ulong)((pos & 127) << 1) | (flipped ? 1UL : 0UL);
        slot = slot + 1 == W ? 0 : slot + 1;
        if (run < K + W - 1)
            continue;

        ulong smallest = ring[0];
        for (int i = 1; i < W; ++i)
            smallest = min(smallest, ring[i]);
        if (smallest == last)
            continue;
        last = smallest;
        atomic_inc(&buckets[(uint)(smallest >> 8) & 15u]);
        picked[read * capacity + emitted] = smallest;
        if (++emitted == capacity)
            break;
    }
    found[read] = emitted;
}
