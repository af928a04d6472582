// Generators of random numbers: xorshift, a linear congruence in 64 bits, and Philox.
uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    uint high0 = mul_hi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    uint high1 = mul_hi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}
kernel void random_numbers(global ulong *states, global uint4 *out, global float *uniform_) {
  size_t i = get_global_id(0);
  ulong x = states[i];
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  x = x * 6364136223846793005ul + 1442695040888963407ul;
  states[i] = x;
  uint4 p = philox((uint4)((uint)i, 1, 2, (uint)x), (uint2)((uint)(x >> 32), 7));
  out[i] = p;
  uniform_[i] = (float)(p.x >> 8) * 0x1p-24f;
}
