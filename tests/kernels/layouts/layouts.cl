// Types with holes, bit-fields and what is inside of what. The same text is C for the processor, so
// that GDB can be asked where everything lies.

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
#else
#define kernel
#define global
typedef unsigned char uchar4 __attribute__((vector_size(4)));
typedef float float4 __attribute__((vector_size(16)));
typedef int int2 __attribute__((vector_size(8)));
#endif

enum colour { RED, GREEN = 5, BLUE };
typedef unsigned int word;

struct holes { char a; int b; char c; long d; short e; };
struct bits { unsigned int a : 3; int b : 7; unsigned int c : 1; int : 4; unsigned int d : 20; unsigned long e : 33; char f; };
struct mixed { short s; word w : 5; char c; word x : 9; enum colour colour : 4; };
struct __attribute__((packed)) tight { char a; int b; short c; long d; };
union either { struct { short low, high; } halves; float number; unsigned char bytes[8]; };
struct inner { char tag; union either either; };
struct outer {
  char first;
  struct inner inner;
  struct inner list[3];
  struct { int x; struct { char y; long z; } deep; } unnamed;
  int grid[2][3];
  struct outer *next;
  enum colour colour;
};
struct aligned { char a; int b __attribute__((aligned(16))); char c; };
struct vectors { char a; float4 v; uchar4 c; int2 pairs[2]; };
struct empty_tail { long l; char c[3]; };

kernel void layouts(global int *out, int n) {
  struct holes holes = {1, 2, 3, 4, 5};
  struct bits bits;
  struct mixed mixed;
  struct tight tight = {1, 2, 3, 4};
  struct outer outer;
  struct aligned aligned = {1, 2, 3};
  struct vectors vectors;
  struct empty_tail empty_tail = {1, {2, 3, 4}};
  bits.b = mixed.c = outer.first = vectors.a = n;
  for (int i = 0; i < n; i++) {
    int twice = 2 * i;
    if (twice > 4) {
      long n = twice;
      short deep = n;
      out[i] = deep + holes.b + tight.b + aligned.b;  // the deepest place
    }
    out[i] += twice;  // in the loop
  }
  out[n] = bits.b + mixed.c + outer.first + vectors.a + empty_tail.c[0];  // behind it
}
