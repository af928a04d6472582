// goto into and out of loops: a state machine over text, which counts words, numbers and comments.
kernel void state_machine(global const uchar *text, global int *out, int length) {
  size_t i = get_global_id(0);
  global const uchar *p = text + i * length;
  int at = 0, words = 0, numbers = 0, comments = 0;
between:
  if (at == length) goto done;
  if (p[at] == '#') goto comment;
  if (p[at] >= '0' && p[at] <= '9') { ++numbers; goto number; }
  if (p[at] >= 'a' && p[at] <= 'z') { ++words; goto word; }
  ++at;
  goto between;
word:
  if (++at == length) goto done;
  if (p[at] >= 'a' && p[at] <= 'z') goto word;
  if (p[at] >= '0' && p[at] <= '9') goto number;
  goto between;
number:
  if (++at == length) goto done;
  if (p[at] >= '0' && p[at] <= '9') goto number;
  if (p[at] == '#') goto comment;
  goto between;
comment:
  ++comments;
  while (at < length && p[at] != ';') ++at;
  if (at < length) { ++at; goto between; }
done:
  out[i] = words * 10000 + numbers * 100 + comments;
}
