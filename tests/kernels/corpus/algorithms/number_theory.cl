// Greatest common divisors, powers modulo 64-bit primes, and a test of primes.
ulong product_modulo(ulong a, ulong b, ulong m) {
  ulong result = 0;
  for (a %= m; b; b >>= 1, a = (a << 1) % m)
    if (b & 1) result = (result + a) % m;
  return result;
}
ulong power_modulo(ulong base, ulong e, ulong m) {
  ulong result = 1;
  for (; e; e >>= 1, base = product_modulo(base, base, m))
    if (e & 1) result = product_modulo(result, base, m);
  return result;
}
kernel void number_theory(global const uint *a, global const uint *b, global uint *divisors,
                          global ulong *powers, global uchar *prime) {
  size_t i = get_global_id(0);
  uint x = a[i], y = b[i];
  while (y) {
    uint t = x % y;
    x = y;
    y = t;
  }
  divisors[i] = x;
  ulong modulus = 0x1fffffffffe7ul;
  powers[i] = power_modulo(b[i] | 1, a[i] & 255, modulus);
  uint candidate = a[i] | 1;
  prime[i] = power_modulo(2, candidate - 1, candidate) == 1;
}
