// Base64 of three bytes for each work-item, and a check of UTF-8.
constant uchar kDigits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void text_codes(global const uchar *in, global uchar4 *base64, global int *points,
                       global const uchar *text, int length) {
  size_t i = get_global_id(0);
  uchar3 b = vload3(i, in);
  uint word = b.x << 16 | b.y << 8 | b.z;
  base64[i] = (uchar4)(kDigits[word >> 18], kDigits[word >> 12 & 63], kDigits[word >> 6 & 63],
                       kDigits[word & 63]);
  int count = 0, largest = 0;
  for (int k = 0; k < length;) {
    uchar c = text[i * length + k++];
    int extra = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
    if (extra < 0) { count += 1000; continue; }
    int point = extra == 0 ? c : c & (0x3f >> extra);
    for (; extra > 0 && k < length; --extra, ++k) {
      uchar next = text[i * length + k];
      if (next >> 6 != 2) break;
      point = point << 6 | (next & 63);
    }
    largest = max(largest, point);
    ++count;
  }
  points[i] = count + (largest << 12);
}
