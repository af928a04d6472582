// The eigenvalues and the main direction of diffusion tensors (symmetric, 3x3), by Jacobi's
// rotations; and their fractional anisotropy.
__kernel void rotations(__global const float *tensors, __global float4 *directions,
                           __global float *values, __global uchar *sweeps_done, int count,
                           int most_sweeps, float threshold)
{
    const int number = get_global_id(0);
    if (number >= count)
        return;
    __global const float *six = tensors + number * 6;
    float a[3][3], v[3][3];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            a[row][column] = row == column ? 1.0f + six[row] : six[2 + row + column];
            v[row][column] = row == column ? 1.0f : 0.0f;
        }
    }

    int sweep = 0;
    for (; sweep < most_sweeps; sweep++) {
        if (fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) < threshold)
            break;
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                const float off = a[p][q];
                if (fabs(off) < 1e-9f)
                    continue;
                const float theta = 0.5f * (a[q][q] - a[p][p]) / off;
                float t = 1.0f / (fabs(theta) + sqrt(theta * theta + 1.0f));
                t = copysign(t, theta);
                const float c = rsqrt(t * t + 1.0f), s = t * c;
                const int r = 3 - p - q;
                const float arp = a[r][p], arq = a[r][q];
                a[p][p] -= t * off;
                a[q][q] += t * off;
                a[p][q] = a[q][p] = 0.0f;
                a[r][p] = a[p][r] = c * arp - s * arq;
                a[r][q] = a[q][r] = s * arp + c * arq;
                for (int k = 0; k < 3; k++) {
                    const float vp = v[k][p], vq = v[k][q];
                    v[k][p] = c * vp - s * vq;
                    v[k][q] = s * vp + c * vq;
                }
            }
        }
    }

    int largest = 0;
    float mean = 0.0f, squares = 0.0f, spread = 0.0f;
    for (int k = 0; k < 3; k++) {
        largest = a[k][k] > a[largest][largest] ? k : largest;
        mean += a[k][k] / 3.0f;
        squares += a[k][k] * a[k][k];
        values[number * 3 + k] = a[k][k];
    }
    for (int k = 0; k < 3; k++)
        spread += (a[k][k] - mean) * (a[k][k] - mean);
    directions[number] = (float4)(v[0][largest], v[1][largest], v[2][largest], sqrt(1.5f * spread / squares));
    sweeps_done[number] = sweep;
}
