// Functions: called with a stack, as subroutines, and inlined.
__attribute__((noinline)) int triple(int value, global ulong *truth, uint gid) {
  int result = value * 3;
  T(0, result);
  T(1, value);
  return result;
}
kernel void called(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid];
  int y = triple(x, truth, gid);
  T(2, y);
  int z = triple(y + n, truth, gid) - x;
  T(3, z);
  T(4, x);
}
inline int clamped(int value, int low, int high, global ulong *truth, uint gid) {
  int up = value < low ? low : value;
  T(0, up);
  int down = up > high ? high : up;
  T(1, down);
  return down;
}
kernel void inlined(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid];
  int y = clamped(x, n, 50, truth, gid);
  T(2, y);
  int z = x - y;
  T(3, z);
}
__attribute__((noinline)) int depth(int left, int value, global ulong *truth, uint gid) {
  int next = value + left;
  T(0, next);
  int more = left > 0 ? depth(left - 1, next, truth, gid) : next;
  T(1, more);
  return more;
}
kernel void recursive(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid];
  int y = depth(x & 3, x, truth, gid);
  T(2, y);
  T(3, x);
}
__attribute__((noinline)) float many(int a, short b, char c, float d, long e, uint f, float4 g,
                                     global ulong *truth, uint gid) {
  T(0, a);
  T(1, b);
  T(2, c);
  TF(3, d);
  T(4, e);
  T(5, f);
  float sum = a + b + c + d + e + f + g.x + g.w;
  TF(6, sum);
  return sum;
}
kernel void parameters(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid];
  float y = many(x, x + 1, x + 2, x * 0.5f, x * 10L, n, (float4)(1, 2, 3, x), truth, gid);
  TF(7, y);
}
