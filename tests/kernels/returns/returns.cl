// Functions that return structures by value. Each result is kept in a variable of the caller.
struct pair { int a; int b; };
struct mixed { char c; int i; short s; };
struct wide { long l; float f; };
struct three { short x, y, z; };
struct big { int a[8]; };
struct inner { struct pair p; int q; };

struct pair __attribute__((noinline)) make_pair(int a) {
  struct pair made = {a, 3 * a};
  return made;
}
struct mixed __attribute__((noinline)) make_mixed(int a) {
  struct mixed made = {a, 100 * a, -a};
  return made;
}
struct wide __attribute__((noinline)) make_wide(int a) {
  struct wide made = {(long)a << 33, a + 0.5f};
  return made;
}
struct three __attribute__((noinline)) make_three(int a) {
  struct three made = {a, a + 1, a + 2};
  return made;
}
struct inner __attribute__((noinline)) make_inner(int a) {
  struct inner made = {{a, a + 1}, a + 2};
  return made;
}
struct big __attribute__((noinline)) make_big(int a) {
  struct big made = {{a, 1, 2, 3, 4, 5, 6, a}};
  return made;
}

kernel void returns(global const int *in, global long *out) {
  int i = get_global_id(0);
  struct pair pair = make_pair(in[i]);
  struct mixed mixed = make_mixed(in[i]);
  struct wide wide = make_wide(in[i]);
  struct three three = make_three(in[i]);
  struct inner inner = make_inner(in[i]);
  struct big big = make_big(in[i]);
  out[i] = pair.a + pair.b + mixed.c + mixed.i + mixed.s + wide.l + (int)wide.f + three.x + three.y + three.z +
           inner.p.b + inner.q + big.a[7];
}
