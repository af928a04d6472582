// Loops: trip counts that lanes share, that they do not, break, continue, nested.
kernel void counted(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int total = 0;
#pragma nounroll
  for (int k = 0; k < n; ++k) {
    int term = in[(gid + k) & 63] * k;
    T(0, term);
    total += term;
    T(1, total);
    T(2, k);
  }
  T(3, total);
}
kernel void own_count(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid], steps = 0;
#pragma nounroll
  while (x > 0) {
    x -= n;
    T(0, x);
    ++steps;
    T(1, steps);
  }
  T(2, steps);
  T(3, x);
}
kernel void collatz(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  uint x = (uint)in[gid] + 1, highest = x;
  int steps = 0;
#pragma nounroll
  while (x != 1 && steps < 100 * n) {
    if (x & 1) {
      x = 3 * x + 1;
      T(0, x);
    } else {
      x >>= 1;
      T(1, x);
    }
    highest = max(highest, x);
    T(2, highest);
    steps++;
  }
  T(3, steps);
  T(4, highest);
  T(5, x);
}
kernel void breaks(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid], found = -1, k = 0;
#pragma nounroll
  for (; k < 64; ++k) {
    int y = in[k];
    if (y == x) continue;
    T(0, y);
    if ((y + x) % (n + 2) == 0) {
      found = y;
      T(1, found);
      break;
    }
  }
  T(2, found);
  T(3, k);
}
kernel void nested_loops(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int sum = 0;
#pragma nounroll
  for (int i = 0; i < n; ++i) {
    int row = in[(gid + i) & 63] & 3;
    T(0, row);
#pragma nounroll
    for (int j = 0; j <= row; ++j) {
      sum += i * j;
      T(1, sum);
      T(2, j);
    }
    T(3, i);
  }
  T(4, sum);
}
kernel void reassigned(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int at = gid, x = in[at], found = 0;
#pragma nounroll
  do {
    at = x > 50 ? at + 3 : x > 0 ? at + 1 : at + 2;
    T(0, at);
    x = in[at & 63];
    T(1, x);
    found += 4;
    T(2, found);
  } while (at < 64 && !(x & 1) && found < 100);
  T(3, x);
  T(4, found);
  T(5, at);
}
