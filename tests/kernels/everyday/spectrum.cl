// One Fourier transform of 2 * get_local_size(0) complex values for each work-group, from one
// local buffer to the other (Stockham), and the power and the peak of its spectrum.
static inline float2 multiply(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__kernel void spectrum(__global float2 *signals, __global float *power, __global uint *peaks,
                           int inverse, __local float2 *first, __local float2 *second)
{
    const uint item = get_local_id(0);
    const uint half_length = get_local_size(0);
    const uint length = 2 * half_length;
    __global float2 *signal = signals + get_group_id(0) * length;
    const float turn = inverse ? M_PI_F : -M_PI_F;

    // Hann window, for the transform forward only.
    for (uint at = item; at < length; at += half_length) {
        float window = 1.0f;
        if (!inverse)
            window = 0.5f - 0.5f * cos(2.0f * M_PI_F * at / length);
        first[at] = signal[at] * window;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    __local float2 *from = first, *to = second;
    for (uint span = 1; span < length; span <<= 1) {
        const uint inner = item & (span - 1);
        const float angle = turn * inner / span;
        float cosine;
        const float sine = sincos(angle, &cosine);
        const float2 even = from[item];
        const float2 odd = multiply(from[item + half_length], (float2)(cosine, sine));
        const uint target = ((item - inner) << 1) + inner;
        to[target] = even + odd;
        to[target + span] = even - odd;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local float2 *swapped = from;
        from = to;
        to = swapped;
    }

    const float scale = inverse ? 1.0f / length : 1.0f;
    for (uint at = item; at < length; at += half_length) {
        const float2 value = from[at] * scale;
        signal[at] = value;
        const float energy = dot(value, value);
        power[get_group_id(0) * length + at] = energy;
        if (at > 0 && at < half_length)
            atomic_max(&peaks[get_group_id(0)], as_uint(energy) & ~31u | at);
    }
}
