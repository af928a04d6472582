// Finds a pattern in a text, by Knuth, Morris and Pratt, each work-item in its part.
#define LONGEST 16

void failures(constant uchar *pattern, int length, int *next) {
  next[0] = 0;
  int k = 0;
  for (int i = 1; i < length; i++) {
    while (k > 0 && pattern[k] != pattern[i])
      k = next[k - 1];
    if (pattern[k] == pattern[i])
      k++;
    next[i] = k;
  }
}

kernel void matches(global const uchar *text, constant uchar *pattern, global int *found, int size, int length, int part) {
  const int id = get_global_id(0);
  int next[LONGEST];
  failures(pattern, length, next);

  int start = id * part;
  int stop = min(start + part + length - 1, size);
  int count = 0;
  int last = -1;
  int state = 0;
  for (int i = start; i < stop; i++) {
    uchar letter = text[i] & 3;
    while (state > 0 && pattern[state] != letter)
      state = next[state - 1];
    if (pattern[state] == letter)
      state++;
    if (state == length) {
      count++;
      last = i - length + 1;
      state = next[state - 1];
    }
  }
  found[2 * id] = count;
  found[2 * id + 1] = last;
}
