// The median of nine bytes by a sorting network.
#define SORT(a, b) { uchar t = min(v[a], v[b]); v[b] = max(v[a], v[b]); v[a] = t; }
kernel void median_filter(global const uchar *in, global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar v[9];
  for (int k = 0; k < 9; ++k)
    v[k] = in[clamp(y + k / 3 - 1, 0, height - 1) * width + clamp(x + k % 3 - 1, 0, width - 1)];
  SORT(1, 2) SORT(4, 5) SORT(7, 8) SORT(0, 1) SORT(3, 4) SORT(6, 7) SORT(1, 2) SORT(4, 5)
  SORT(7, 8) SORT(0, 3) SORT(5, 8) SORT(4, 7) SORT(3, 6) SORT(1, 4) SORT(2, 5) SORT(4, 7)
  SORT(4, 2) SORT(6, 4) SORT(4, 2)
  out[y * width + x] = v[4];
}
