// Packed structures at odd addresses, unions over the same bytes, fields of words by hand.
typedef struct __attribute__((packed)) { uchar kind; uint value; ushort tail; } Packed;
typedef union { uint word; ushort halves[2]; short2 pair; uchar bytes[4]; float f; } Both;
kernel void packed_fields(global uint *words, global Packed *packed, global int *out) {
  size_t i = get_global_id(0);
  Both both;
  both.word = words[i];
  int low = both.word & 31, middle = (int)(both.word << 16) >> 21, high = both.halves[1];
  both.word = (both.word & ~31u) | ((low + 9) & 31);
  both.word = (both.word & ~0xffe0u) | ((uint)-middle << 5 & 0xffe0u);
  both.halves[1] ^= both.halves[0];
  both.bytes[low & 3] += 1;
  both.pair = both.pair.yx;
  words[i] = both.word;
  out[i] = low + middle - high + packed[i].kind;
  packed[i].value += packed[i].tail;
  packed[i].tail = (ushort)i;
}
