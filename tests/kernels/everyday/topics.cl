// Collapsed Gibbs sampling of a topic model: each work-item draws the topics of the words of
// one document anew, some sweeps long, with the topics' distributions of words held fixed.

#define TOPICS 4
#define MAX_WORDS 8

inline uint xorshift(uint state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

inline float to_unit(uint bits)
{
    return (float)(bits >> 8) * (1.0f / 16777216.0f);
}

kernel void topics(global const uint *words, global const float4 *topic_of_word,
                  global uchar *assignments, global float4 *mixtures,
                  global int *changes, const uint vocabulary, const int longest,
                  const int sweeps, const float alpha, const uint seed)
{
    const int document = get_global_id(0);
    const int limit = min(longest, MAX_WORDS);
    uint state = (seed ^ (uint)document * 0x9e3779b9u) | 1u;

    // Between half of the longest length and all of it.
    uint header = words[document * longest];
    int length = limit - (int)(header % (uint)(limit / 2 + 1));

    int counts[TOPICS];
    for (int t = 0; t < TOPICS; t++)
        counts[t] = 0;
    uchar topics[MAX_WORDS];
    for (int i = 0; i < length; i++) {
        state = xorshift(state);
        int drawn = state % TOPICS;
        topics[i] = (uchar)drawn;
        counts[drawn]++;
    }

    int moved = 0;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        int moved_before = moved;
        for (int i = 0; i < length; i++) {
            uint word = words[document * longest + i] % vocabulary;
            float4 phi = topic_of_word[word] + 0.01f;
            int old_topic = topics[i];
            counts[old_topic]--;

            float4 weight;
            weight.x = phi.x * ((float)counts[0] + alpha);
            weight.y = phi.y * ((float)counts[1] + alpha);
            weight.z = phi.z * ((float)counts[2] + alpha);
            weight.w = phi.w * ((float)counts[3] + alpha);
            float total = weight.x + weight.y + weight.z + weight.w;

            state = xorshift(state);
            float dart = to_unit(state) * total;
            int new_topic = 0;
            if (dart >= weight.x)
                new_topic = 1;
            if (dart >= weight.x + weight.y)
                new_topic = 2;
            if (dart >= weight.x + weight.y + weight.z)
                new_topic = 3;

            topics[i] = (uchar)new_topic;
            counts[new_topic]++;
            if (new_topic != old_topic)
                moved++;
        }
        if (moved == moved_before)
            break;
    }

    float norm = 1.0f / ((float)length + (float)TOPICS * alpha);
    float4 theta = (float4)(counts[0], counts[1], counts[2], counts[3]);
    mixtures[document] = (theta + alpha) * norm;
    for (int i = 0; i < length; i++)
        assignments[document * longest + i] = topics[i];
    changes[document] = moved;
}
