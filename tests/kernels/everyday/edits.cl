// Spell checker: the edit distance of a query to each word of a dictionary, row by row,
// abandoned once no cell of a row is within the limit.

#define MAX_LENGTH 12

inline uchar letter(global const uchar *text, int at)
{
    return 'a' + (text[at] & 3);
}

// The number of letters that the two words have in common at their beginning.
inline int common_prefix(global const uchar *word, int word_length,
                         global const uchar *query, int query_length)
{
    int shorter = min(word_length, query_length);
    int length = 0;
    while (length < shorter && letter(word, length) == letter(query, length))
        length++;
    return length;
}

kernel void edits(global const uchar *words, global const uchar *lengths,
                        global const uchar *query, const int query_length, const int limit,
                        const int words_count, global int *distances, global int2 *statistics)
{
    const int gid = get_global_id(0);
    if (gid >= words_count)
        return;
    global const uchar *word = words + gid * MAX_LENGTH;
    int word_length = 4 + (lengths[gid] & 7);
    int gap = abs_diff(word_length, query_length);
    if (gap > limit) {
        distances[gid] = -1;
        statistics[gid] = (int2)(gap, 0);
        return;
    }

    int skip = common_prefix(word, word_length, query, query_length);
    word += skip;
    global const uchar *pattern = query + skip;
    word_length -= skip;
    int pattern_length = query_length - skip;

    int row[MAX_LENGTH + 1];
    for (int j = 0; j <= MAX_LENGTH; j++)
        row[j] = j;

    int cells = 0;
    bool abandoned = false;
    for (int i = 1; i <= word_length; i++) {
        uchar current = letter(word, i - 1);
        int diagonal = row[0];
        int lowest = i;
        row[0] = i;
        for (int j = 1; j <= pattern_length; j++) {
            int above = row[j];
            int substitution = diagonal + (letter(pattern, j - 1) != current);
            int shift = min(above, row[j - 1]) + 1;
            int cost = min(substitution, shift);
            row[j] = cost;
            diagonal = above;
            lowest = min(lowest, cost);
            cells++;
        }
        if (lowest > limit) {
            abandoned = true;
            break;
        }
    }

    int distance = abandoned ? -1 : row[pattern_length];
    if (distance > limit)
        distance = -1;
    distances[gid] = distance;
    statistics[gid] = (int2)(skip, cells);
}
