// The greatest common divisor, by Euclid.
uint gcd(uint a, uint b) {
  while (b != 0) {
    uint rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
kernel void divisor(global uint *out, global const uint *x, global const uint *y) {
  uint id = get_global_id(0);
  uint a = x[id] * 12 + 36, b = y[id] * 18 + 8;
  uint g = gcd(a, b);
  uint least = a / g * b;
  out[id] = g + least;
}
