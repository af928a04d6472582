// shuffle() and shuffle2() with masks that are data.
kernel void shuffles(global const uint4 *a, global const uint8 *masks, global uint8 *out,
                     global const uchar16 *bytes, global uchar16 *shuffled) {
  size_t i = get_global_id(0), n = get_global_size(0);
  uint4 x = a[i], y = a[n - 1 - i];
  out[i] = shuffle2(x, y, masks[i]);
  out[n + i] = shuffle(x, masks[i]);
  shuffled[i] = shuffle(bytes[i], bytes[n - 1 - i]);
}
