kernel void halving(global int *out, global const int *in, int n) {
  int who = get_local_id(0);
  int total = in[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    int other = 0;
    if (who < s) {
      other = who + s;
      total += in[other];
    }
    total ^= s;
  }
  uint left = n;
  uint sum = 0;
  while (left > 1) {
    sum += left * who;
    left /= 2;
  }
  out[get_global_id(0)] = total + sum;
}
