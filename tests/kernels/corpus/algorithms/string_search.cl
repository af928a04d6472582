// Knuth-Morris-Pratt: every work-item searches its own text for one pattern.
kernel void string_search(global const uchar *texts, int length, constant uchar *pattern,
                          int pattern_length, global int *first, global int *counts) {
  size_t i = get_global_id(0);
  uchar failure[16];
  failure[0] = 0;
  for (int k = 1, m = 0; k < pattern_length; ++k) {
    while (m > 0 && pattern[m] != pattern[k]) m = failure[m - 1];
    if (pattern[m] == pattern[k]) ++m;
    failure[k] = (uchar)m;
  }
  int found = -1, count = 0;
  for (int k = 0, m = 0; k < length; ++k) {
    uchar c = texts[i * length + k];
    while (m > 0 && pattern[m] != c) m = failure[m - 1];
    if (pattern[m] == c) ++m;
    if (m == pattern_length) {
      if (found < 0) found = k - m + 1;
      ++count;
      m = failure[m - 1];
    }
  }
  first[i] = found;
  counts[i] = count;
}
