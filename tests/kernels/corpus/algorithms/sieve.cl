// The sieve of Eratosthenes in bits of local memory.
kernel void sieve(global uint *bits) {
  local uint words[32];
  int l = get_local_id(0);
  words[l] = ~0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int p = 2; p < 32; ++p) {
    if (words[0] >> p & 1)
      for (int m = p * p + p * l; m < 1024; m += p * 32) atomic_and(&words[m >> 5], ~(1u << (m & 31)));
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  bits[l] = words[l];
}
