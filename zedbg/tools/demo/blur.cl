/* The kernel of zedbg's demonstration: a three-point blur that treats every fourth point specially. */

float average(float left, float middle, float right)
{
    return (left + middle + right) / 3.0f;
}

kernel void blur(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float left = i > 0 ? in[i - 1] : in[i];
    float right = i < n - 1 ? in[i + 1] : in[i];
    float value = average(left, in[i], right);
    if (i % 4 == 0)
        value = -value;
    out[i] = value;
}
