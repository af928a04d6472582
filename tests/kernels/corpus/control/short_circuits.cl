// && and || that guard loads, conditional expressions in chains, do-while.
kernel void short_circuits(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int x = in[i], found = 0, at = i;
  if (i > 0 && in[i - 1] < x && (i + 1 >= n || in[i + 1] < x)) found |= 1;
  if (i + 2 < n && (in[i + 2] == x || in[i + 1] == x) || x == 0) found |= 2;
  do {
    at = x > 50 ? at + 3 : x > 0 ? at + 1 : x > -50 ? at + 2 : at + 5;
    x = in[at % n];
    found += 4;
  } while (at < n && !(x & 1) && found < 100);
  out[i] = x < 0 ? -found : found;
}
