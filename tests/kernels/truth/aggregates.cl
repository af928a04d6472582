// Structures, unions, vectors and arrays, in private memory and in registers.
typedef struct { int a; short b; char c[3]; float d; } Record;
typedef union { uint word; uchar bytes[4]; } Both;
enum Kind { PLAIN, ODD = 7, LARGE };
kernel void structures(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int x = in[gid];
  Record r;
  r.a = x * 5;
  r.b = (short)(x - n);
  r.c[0] = (char)x;
  r.c[1] = (char)(x + 1);
  r.c[2] = (char)(x + 2);
  r.d = x * 0.25f;
  T(0, r.a);
  T(1, r.b);
  T(2, r.c[1]);
  TF(3, r.d);
  r.a += r.c[x & 1];
  T(4, r.a);
  Both both;
  both.word = (uint)r.a * 0x01020304u;
  T(5, both.word);
  T(6, both.bytes[2]);
  enum Kind kind = x & 1 ? ODD : x > 50 ? LARGE : PLAIN;
  T(7, kind);
}
kernel void vectors(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int4 v = (int4)(in[gid], in[(gid + 1) & 63], n, (int)gid);
  T(0, v.x);
  T(1, v.y);
  T(2, v.z);
  T(3, v.w);
  float2 f = (float2)(v.x * 0.5f, v.y * 0.25f);
  TF(4, f.x);
  TF(5, f.y);
  v = v.wzyx + 1;
  T(6, v.x);
  T(7, v.w);
  uchar8 b = convert_uchar8((int8)(v, v));
  T(8, b.s3);
  T(9, b.s4);
}
kernel void arrays(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  int a[16];
  int k = 0;
#pragma nounroll
  for (k = 0; k < 16; ++k) {
    a[k] = in[(gid + k) & 63] + k;
    T(0, a[k]);
  }
  int place = in[gid] & 15;
  T(1, place);
  T(2, a[place]);
  a[place] = a[15 - place] * n;
  T(3, a[place]);
  T(4, a[3]);
}
kernel void bytes(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  uchar a[11];
  short b[7];
#pragma nounroll
  for (int k = 0; k < 7; ++k) {
    a[k] = (uchar)(in[(gid + k) & 63] ^ k);
    b[k] = (short)(a[k] * n);
    T(0, a[k]);
    T(1, b[k]);
  }
  int place = in[gid] % 7;
  T(2, a[place]);
  T(3, b[place]);
}
kernel void shared(global const int *in, global ulong *truth, int n) {
  local int tile[32];
  uint gid = get_global_id(0);
  uint lid = get_local_id(0);
  T(0, lid);
  tile[lid] = in[gid] * 2;
  T(1, tile[lid]);
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[31 - lid];
  T(2, other);
  int sum = other + tile[(lid + n) & 31];
  T(3, sum);
}
kernel void pointers(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  global const int *p = in + gid;
  T(0, *p);
  int x = *p, y = n;
  int *q = x & 1 ? &x : &y;
  *q += 3;
  T(1, x);
  T(2, y);
  T(3, *q);
  p = in + (x & 31);
  T(4, *p);
  T(5, p[1]);
}
