// Height map of a terrain from several octaves of gradient noise.

inline float fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

inline float gradient(uint hash, float x, float y)
{
    uint h = hash & 7u;
    float u = h < 4u ? x : y;
    float v = h < 4u ? y : x;
    float first = (h & 1u) ? -u : u;
    float second = (h & 2u) ? -2.0f * v : 2.0f * v;
    return first + second;
}

inline uint corner(global const uchar *permutation, int x, int y)
{
    uint inner = permutation[x & 255];
    return permutation[(inner + (uint)y) & 255u];
}

inline float noise(global const uchar *permutation, float2 p)
{
    float2 cell = floor(p);
    float2 f = p - cell;
    int xi = (int)cell.x;
    int yi = (int)cell.y;
    float u = fade(f.x);
    float v = fade(f.y);

    uint h00 = corner(permutation, xi, yi);
    uint h10 = corner(permutation, xi + 1, yi);
    uint h01 = corner(permutation, xi, yi + 1);
    uint h11 = corner(permutation, xi + 1, yi + 1);

    float low = mix(gradient(h00, f.x, f.y), gradient(h10, f.x - 1.0f, f.y), u);
    float high = mix(gradient(h01, f.x, f.y - 1.0f), gradient(h11, f.x - 1.0f, f.y - 1.0f), u);
    return mix(low, high, v);
}

kernel void terrain(global const uchar *permutation, global float *heights,
                   global uchar4 *colours, const int width, const int octaves,
                   const float frequency, const float sea_level)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width)
        return;

    float2 position = (float2)((float)x + 0.5f, (float)y + 0.5f) * frequency;
    float amplitude = 0.5f;
    float height = 0.0f;
    float ridge = 1.0f;
    for (int octave = 0; octave < octaves; octave++) {
        float sample = noise(permutation, position);
        float crest = 1.0f - fabs(sample);
        if (octave & 1)
            height += amplitude * crest * ridge;
        else
            height += amplitude * sample;
        ridge = clamp(crest * crest, 0.0f, 1.0f);
        amplitude *= 0.55f;
        // Turned a little, that the lattices of the octaves do not line up.
        position = (float2)(1.6f * position.x + 1.2f * position.y,
                            1.6f * position.y - 1.2f * position.x);
    }

    uchar4 colour;
    if (height < sea_level) {
        float depth = clamp(sea_level - height, 0.0f, 1.0f);
        colour = (uchar4)(20, 60, (uchar)(220.0f - 120.0f * depth), 255);
        height = sea_level;
    } else {
        float shade = clamp((height - sea_level) * 0.8f, 0.0f, 1.0f);
        float4 tint = mix((float4)(60.0f, 140.0f, 50.0f, 255.0f), (float4)(250.0f), shade);
        colour = convert_uchar4_sat(tint);
    }
    int index = y * width + x;
    heights[index] = height;
    colours[index] = colour;
}
