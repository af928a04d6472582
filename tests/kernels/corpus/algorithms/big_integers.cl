// Products of 256-bit integers, eight words of 32 bits each.
kernel void big_integers(global const uint *a, global const uint *b, global uint *out) {
  size_t i = get_global_id(0);
  uint result[16];
  for (int k = 0; k < 16; ++k) result[k] = 0;
  for (int j = 0; j < 8; ++j) {
    ulong carry = 0;
    for (int k = 0; k < 8; ++k) {
      ulong sum = (ulong)a[i * 8 + k] * b[i * 8 + j] + result[j + k] + carry;
      result[j + k] = (uint)sum;
      carry = sum >> 32;
    }
    result[j + 8] = (uint)carry;
  }
  for (int k = 0; k < 16; ++k) out[i * 16 + k] = result[k];
}
