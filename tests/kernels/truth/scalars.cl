// Variables of every scalar type, each stored where it was computed and once more at the end.
kernel void scalars(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  T(0, gid);
  int x = in[gid];
  T(1, x);
  T(2, n);
  char c = (char)(x * 3);
  T(3, c);
  uchar uc = (uchar)(x + 7);
  T(4, uc);
  short s = (short)(x * 1000);
  T(5, s);
  ushort us = (ushort)(s ^ 0x5a5a);
  T(6, us);
  long l = (long)x * 0x123456789L;
  T(7, l);
  ulong ul = (ulong)l >> 3;
  T(8, ul);
  float f = (float)x * 0.37f;
  TF(9, f);
  float g = f * f + 1.5f;
  TF(10, g);
  bool b = x > n;
  T(11, b);
  int twice = b ? x * 2 : x - n;
  T(12, twice);
  T(13, c);
  T(14, s);
  T(15, l);
  TF(16, f);
}
// Sums that the compiler may fold or move.
kernel void chained(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int a = in[gid], b = in[(gid + 1) & 63];
  T(0, a);
  T(1, b);
  int c = a + b;
  T(2, c);
  int d = c * n;
  T(3, d);
  int e = d - a;
  T(4, e);
  uint h = (uint)e * 2654435761u;
  T(5, h);
  h ^= h >> 15;
  T(6, h);
  h *= 2246822519u;
  T(7, h);
  h ^= h >> 13;
  T(8, h);
  a = (int)h & 0xffff;
  T(9, a);
  b = a - b;
  T(10, b);
  T(11, c);
}
// What is the same for all work-items of a group.
kernel void uniform_values(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int group = get_group_id(0);
  T(0, group);
  int base = in[group];
  T(1, base);
  int scaled = base * n;
  T(2, scaled);
  int sum = 0;
#pragma nounroll
  for (int k = 0; k < n; ++k) {
    sum += in[k];
    T(3, sum);
    T(4, k);
  }
  T(5, sum);
  int mixed = sum + (int)gid;
  T(6, mixed);
  T(7, scaled);
  T(8, n);
}
