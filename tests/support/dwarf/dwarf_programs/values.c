/* Compiled for the processor in each version and format of DWARF: values in memory, in registers, in
 * pieces, computed, and known only from what a caller passed. */
struct pair {
  int a;
  long b;
  short s : 5;
};
struct pair table[4] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
enum color { RED, GREEN = 7 };
volatile int sink;

__attribute__((noinline)) int use(int x) {
  sink = x;
  return x * 3 + sink;
}

static inline int twice(int v) {
  int w = v * 2;
  return use(w) + w;
}

__attribute__((noinline)) long narrow(long wide, unsigned char low) {
  unsigned char byte = (unsigned char)wide;
  short sum = (short)(byte + low);
  float ratio = (float)wide / 4;
  sink = byte;
  sink = sum;
  sink = (int)ratio;
  return sink + low;
}

__attribute__((noinline)) long mix(struct pair p, int n, const char *name) {
  long sum = 0;
  struct pair q = {n, n * 2L, 1};
  double d = n * 0.5;
  int *to = &q.a;
  for (int i = 0; i < n; i++) {
    int t = twice(i) + p.a + *to;
    q.b += t;
    sum += q.b + use(t);
    d = d * 1.5 + t;
  }
  sum += narrow(sum + 300, (unsigned char)n);
  return sum + (long)d + name[0] + q.a;
}

int main(int argc, char **argv) {
  enum color c = GREEN;
  long r = mix(table[argc], argc + 4, argv[0]);
  use((int)r + c);
  return twice(argc) & 1;
}
