// 128-bit products and sums with carries, from 32-bit and 64-bit pieces.
kernel void wide_products(global const ulong *a, global const ulong *b, global ulong *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  ulong x = a[i], y = b[i];
  ulong low = x * y, high = mul_hi(x, y);
  ulong sum = low + x;
  ulong carry = sum < low;
  out[i] = low;
  out[n + i] = high + carry;
  uint xl = (uint)x, xh = (uint)(x >> 32), yl = (uint)y, yh = (uint)(y >> 32);
  ulong middle = (ulong)xl * yh + ((ulong)xl * yl >> 32);
  out[2 * n + i] = (ulong)xh * yh + (middle >> 32);
  out[3 * n + i] = (ulong)((long)(int)xl * (long)(int)yl);
  out[4 * n + i] = mad_hi(x, y, x) - sum;
  uint s0 = xl + yl, c0 = s0 < xl, s1 = xh + yh + c0, borrow = xl < yl;
  out[5 * n + i] = (ulong)s1 << 32 | s0;
  out[6 * n + i] = (ulong)(xh - yh - borrow) << 32 | (xl - yl);
  out[7 * n + i] = (ulong)mul24((int)(xl & 0x7ffff), (int)(yl & 0xfff)) +
                   mad24((uint)(xl & 0xffff), (uint)(yl & 0xffff), xh);
}
