// AES-128: one block for each work-item, with the S-box made in local memory.
uchar doubled(uchar x) { return (uchar)((x << 1) ^ ((x >> 7) * 0x1b)); }
uchar power254(uchar x) {
  uchar result = 1, base = x;
  for (int e = 254; e > 0; e >>= 1) {
    uchar a = base;
    if (e & 1) {
      uchar product = 0, b = result;
      for (uchar c = a; b; b >>= 1, c = doubled(c)) product ^= b & 1 ? c : (uchar)0;
      result = product;
    }
    uchar square = 0, b = a;
    for (uchar c = a; b; b >>= 1, c = doubled(c)) square ^= b & 1 ? c : (uchar)0;
    base = square;
  }
  return result;
}
kernel void aes(global const uchar16 *blocks, constant uchar *key, global uchar16 *out) {
  local uchar box[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
    uchar x = i ? power254((uchar)i) : (uchar)0;
    box[i] = x ^ rotate(x, (uchar)1) ^ rotate(x, (uchar)2) ^ rotate(x, (uchar)3) ^
             rotate(x, (uchar)4) ^ (uchar)0x63;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar state[16], round_key[16], constant_ = 1;
  vstore16(blocks[get_global_id(0)], 0, state);
  for (int k = 0; k < 16; ++k) {
    round_key[k] = key[k];
    state[k] ^= key[k];
  }
  for (int round = 1; round <= 10; ++round) {
    uchar moved[16];
    for (int k = 0; k < 16; ++k) moved[k] = box[state[(k + 4 * (k & 3)) & 15]];
    for (int k = 0; k < 4; ++k) round_key[k] ^= box[round_key[12 + ((k + 1) & 3)]];
    round_key[0] ^= constant_;
    constant_ = doubled(constant_);
    for (int k = 4; k < 16; ++k) round_key[k] ^= round_key[k - 4];
    for (int column = 0; column < 16; column += 4) {
      uchar all = moved[column] ^ moved[column + 1] ^ moved[column + 2] ^ moved[column + 3];
      for (int k = 0; k < 4; ++k) {
        uchar value = moved[column + k];
        if (round < 10) value ^= all ^ doubled(value ^ moved[column + ((k + 1) & 3)]);
        state[column + k] = value ^ round_key[column + k];
      }
    }
  }
  out[get_global_id(0)] = vload16(0, state);
}
