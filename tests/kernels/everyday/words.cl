// The longest word that begins in each piece of a text, which may end in a later one.
bool is_letter(uchar c) {
    const uchar lower = c | 0x20;
    return lower >= 'a' && lower <= 'z';
}

__kernel void words(__global const uchar *text, __global uint2 *found, int size, int piece) {
    const int begin = get_global_id(0) * piece;
    const int end = min(begin + piece, size);
    int at = begin, longest = 0;
    uint longest_hash = 0;
    while (at < end) {
        uchar c = text[at] & 0x7f;
        if (!is_letter(c)) {
            at++;
            continue;
        }
        const int start = at;
        uint hash = 2166136261u;
        do {
            hash = (hash ^ (c | 0x20)) * 16777619u;
            if (++at == size)
                break;
            c = text[at] & 0x7f;
        } while (is_letter(c));
        const int length = at - start;
        if (length > longest) {
            longest = length;
            longest_hash = hash;
        }
    }
    found[get_global_id(0)] = (uint2)(longest, longest_hash);
}
