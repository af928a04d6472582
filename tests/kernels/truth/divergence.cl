// Branches that lanes take differently: what is set on one side only, on both, and before.
kernel void both_sides(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid], y = 0, z = n;
  if (x & 1) {
    y = x * 3;
    T(0, y);
    z = y - n;
    T(1, z);
  } else {
    y = x + 100;
    T(2, y);
  }
  T(3, y);
  T(4, z);
  T(5, x);
}
kernel void constants(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid], kind = 0, weight = 1;
  if (x > 40) {
    kind = 3;
    T(0, kind);
  } else if (x > 10) {
    kind = 2;
    weight = n;
    T(1, kind);
    T(2, weight);
  }
  T(3, kind);
  T(4, weight);
  int product = kind * weight;
  T(5, product);
}
kernel void nested(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid], r = x;
  if (x & 1) {
    int inner = x >> 1;
    T(0, inner);
    if (inner & 1) {
      int deeper = inner * n;
      T(1, deeper);
      r += deeper;
      T(2, r);
    }
    r -= inner;
    T(3, r);
  }
  T(4, r);
  T(5, x);
}
kernel void switched(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid], r = 0;
  switch (x & 3) {
  case 0:
    r = x + n;
    T(0, r);
    break;
  case 1:
    r = x * n;
    T(1, r);
  case 2:
    r += 5;
    T(2, r);
    break;
  default:
    r = -x;
    T(3, r);
  }
  T(4, r);
}
