// Loops with trip counts, break and continue of each lane's own, three deep.
kernel void loops(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], total = 0, steps = 0;
  for (int a = 0; a < (x & 15); ++a) {
    if ((a ^ x) & 4) continue;
    int b = a;
    while (true) {
      if (++b > 12) break;
      if ((b * x) % 5 == 3) continue;
      int c = 0;
      do {
        total += a * b + c;
        if (total > 4000) goto finished;
        ++steps;
      } while (++c < (x >> 4 & 7) && (total & 63) != 17);
      if (steps > 200) break;
    }
  }
finished:
  out[i] = total * 1000 + steps;
}
