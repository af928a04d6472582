// Currents of a chain of coils and capacitors, of which the voltages are given as phasors, in
// block floating point.
typedef float2 phasor;

phasor times(phasor a, phasor b)
{
    return (phasor)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

phasor conjugate(phasor a)
{
    return (phasor)(a.x, -a.y);
}

phasor over(phasor a, phasor b)
{
    return times(a, conjugate(b)) / dot(b, b);
}

float wear(float load, short percent)
{
    const float rate = (float)percent / 700.0f;
    const float used = load * rate;
    return used + rate / 3.0f;
}

kernel void phasors(global const float2 *voltages, global float2 *currents, global float *wears,
                    global int *exponents, short percent, int links, float inductance)
{
    const int id = get_global_id(0);
    const phasor voltage = voltages[id] + 0.5f;
    phasor current = (phasor)(0.0f, 0.0f);
    float worn = 0.0f;
    for (int link = 1; link <= links; link++) {
        const phasor impedance = (phasor)(1.0f + 0.25f * link, inductance * link);
        const phasor share = over(voltage, impedance);
        const phasor back = conjugate(over(share, voltage));
        current += share + back * 0.125f;
        worn += wear(dot(share, share), percent);
    }

    int exponent;
    const float largest = fmax(fabs(current.x), fabs(current.y));
    const float significand = frexp(largest, &exponent);
    const int shift = 12 - exponent;
    const phasor block = ldexp(current, (int2)(shift, shift));
    const phasor whole = floor(block);
    const int digits = ilogb(significand * 100.0f + 3.0f);
    currents[id] = whole;
    wears[id] = worn + significand;
    exponents[id] = exponent * 16 + digits;
}
