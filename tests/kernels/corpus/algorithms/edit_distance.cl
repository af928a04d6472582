// Levenshtein distance of pairs of words, with one row in private memory.
kernel void edit_distance(global const uchar *left, global const uchar *right, int length,
                          global int *out) {
  size_t i = get_global_id(0);
  uchar row[20];
  for (int k = 0; k <= length; ++k) row[k] = (uchar)k;
  for (int a = 1; a <= length; ++a) {
    uchar diagonal = row[0];
    row[0] = (uchar)a;
    for (int b = 1; b <= length; ++b) {
      uchar above = row[b];
      uchar change = diagonal + (left[i * length + a - 1] != right[i * length + b - 1]);
      row[b] = min(change, (uchar)(1 + min(above, row[b - 1])));
      diagonal = above;
    }
  }
  out[i] = row[length];
}
