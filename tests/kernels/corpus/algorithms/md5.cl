// One block of MD5, with its constants in a table.
constant uint kSines[16] = {0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
                            0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
                            0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821};
constant uchar kShifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
kernel void md5(global const uint *blocks, global uint4 *out) {
  size_t i = get_global_id(0);
  uint4 s = (uint4)(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (int k = 0; k < 64; ++k) {
    uint f, g;
    switch (k >> 4) {
      case 0: f = bitselect(s.w, s.z, s.y); g = k; break;
      case 1: f = bitselect(s.z, s.y, s.w); g = 5 * k + 1; break;
      case 2: f = s.y ^ s.z ^ s.w; g = 3 * k + 5; break;
      default: f = s.z ^ (s.y | ~s.w); g = 7 * k;
    }
    uint next = s.x + f + kSines[k & 15] + blocks[i * 16 + (g & 15)];
    s = (uint4)(s.w, s.y + rotate(next, (uint)kShifts[(k >> 4) * 4 + (k & 3)]), s.y, s.z);
  }
  out[i] = s;
}
