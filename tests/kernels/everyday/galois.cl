// Roots of polynomials over GF(16): x^4 + x + 1.
uchar multiply(uchar a, uchar b)
{
    uchar product = 0;
    for (; b; b >>= 1) {
        product ^= (b & 1) ? a : 0;
        a = (a << 1) ^ ((a >> 3) * 0x13);
    }
    return product;
}

kernel void galois(global const uchar *coefficients, global uchar *roots, global int *counts,
                   int n)
{
    const int id = get_global_id(0);
    const uchar first = coefficients[2 * id] & 15;
    const uchar second = coefficients[2 * id + 1] & 15;
    const int degree = second ? 2 : 1;
    uchar x = 1, sum = 0;
    int found = 0;

    for (int p = 0; p < n && found < degree; p++) {
        const uchar square = multiply(x, x);
        const uchar odd = first ^ multiply(square, second);
        const uchar even = multiply(square, first) ^ 1;
        if (even == multiply(odd, x)) {
            roots[2 * id + found] = x;
            found++;
        }
        sum ^= even;
        x = multiply(x, 9);
    }
    counts[id] = 16 * found + sum;
}
