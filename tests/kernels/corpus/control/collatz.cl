// Trip counts that differ wildly between neighbours, in 64 bits.
kernel void collatz(global const uint *in, global uint *steps, global ulong *peaks) {
  size_t i = get_global_id(0);
  ulong x = in[i], peak = x;
  uint count = 0;
  while (x > 1 && count < 150) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    peak = max(peak, x);
    ++count;
  }
  steps[i] = count;
  peaks[i] = peak;
}
