/* What tests/kernels/src/calls.cl does for one work-item after the other, on the processor, without end;
 * not optimised, as the kernel that it is compared with. */
#pragma GCC optimize("O0")

#define ITEMS 32

static int p[ITEMS];
static float q[ITEMS];

__attribute__((noinline)) static int leaf(int a, int b) {
  int r = 0;
  for (int i = 0; i < a; i++) r += b ^ i;
  return r;
}

__attribute__((noinline)) static int mid(int* items, int a) {
  int t = leaf(a, 3);
  if (items[a] > t) t += leaf(t & 7, a);
  return t;
}

__attribute__((noinline)) static void calls(int id) {
  int i = id;
  p[i] = mid(p, p[i] & 31) + leaf(i, 2);
  if (p[i] & 1) q[i] = q[i] * (float)p[i] + 1.0f;
}

int main(void) {
  for (int id = 0;; id = (id + 1) % ITEMS) {
    p[id] = id;
    calls(id);
  }
}
