// A chain of functions that are not inlined, with many arguments and structures by value.
typedef struct { int a, b; float c; long d; } Packet;
__attribute__((noinline)) int level0(int x, Packet p) { return x + p.a * p.b + (int)p.d; }
__attribute__((noinline)) int level1(int x, Packet p) {
  p.a += 1;
  return x & 1 ? level0(x * 3, p) : level0(x + 7, p) - 1;
}
__attribute__((noinline)) Packet level2(int x, Packet p) {
  p.b = level1(x, p) ^ 0x33;
  p.c += (float)x;
  return p;
}
__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, int h, int j,
                                   long k, short l, char m, float o, int q, int r, int s, int t,
                                   int u, int v, int w, int4 x, float4 y) {
  return a - b + c - d + e - f + g - h + j + (int)k - l + m + (int)o * q - r + s - t + u * v + w +
         x.x - x.w + (int)y.z;
}
__attribute__((noinline)) int level3(int x, int depth) {
  Packet p = {x, depth, 0.5f, (long)x * depth};
  int total = 0;
  for (int k = 0; k < depth; ++k) {
    p = level2(x + k, p);
    total += p.b;
    p.a = total & 0xff;
  }
  return total + (int)(p.c * 2.0f);
}
kernel void deep_calls(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], y = x & 3;
  int result = level3(x, y + 1);
  if (x & 4)
    result += many(x, 1, 2, y, 4, 5, 6, x, 8, (long)x << 3, (short)x, (char)x, 2.5f, 3, y, 5, 6, 7,
                   y, 9, (int4)(x, 1, 2, 3), (float4)(1, 2, 3, 4));
  out[i] = result;
}
