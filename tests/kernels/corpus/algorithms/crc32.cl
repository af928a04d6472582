// CRC-32 of a message for each work-item: bit by bit, and by a table in local memory.
kernel void crc32(global const uchar *data, global uint *out, int length) {
  local uint table[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
    uint c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t i = get_global_id(0);
  uint crc = ~0u;
  for (int k = 0; k < length; ++k) crc = table[(crc ^ data[i * length + k]) & 255] ^ (crc >> 8);
  out[i] = ~crc;
}
