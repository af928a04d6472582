// Local memory of every element size: bytes, words, quads, structures, with barriers between.
typedef struct { uchar a; ushort b; uint c; ulong d; } Mixed;
kernel void local_structs(global const ulong *in, global ulong *out) {
  local Mixed mixed[32];
  local uchar bytes[64];
  local ushort4 words[32];
  size_t i = get_global_id(0), l = get_local_id(0);
  ulong x = in[i];
  mixed[l].a = (uchar)x;
  mixed[l].b = (ushort)(x >> 8);
  mixed[l].c = (uint)(x >> 24);
  mixed[l].d = ~x;
  bytes[l] = (uchar)(x >> 3);
  bytes[63 - l] = (uchar)(x >> 7);
  words[l] = (ushort4)((ushort)x, (ushort)(x >> 16), (ushort)(x >> 32), (ushort)(x >> 48));
  barrier(CLK_LOCAL_MEM_FENCE);
  Mixed other = mixed[31 - l];
  ushort4 w = words[(l + 5) & 31].yxwz;
  out[i] = other.a + ((ulong)other.b << 8) + other.c * 3ul + other.d + bytes[(l * 7) & 63] +
           ((ulong)(w.x ^ w.y ^ w.z) << 16 | w.w);
}
