/* Planted: an unsigned counter is never below zero. */
kernel void unsigned_loop(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  uint left = i % 4;
  int sum = 0;
  while (left - 1 >= 0 && sum < 100) {
    sum += 10;
    left = left - 1;
  }
  out[i] = sum;
}
