int scaled(int v, int factor) {
  int product = v * factor;
  if (product > 40)
    product -= 3;
  return product + 1;
}

int folded(int v) {
  int sum = 0;
  for (int k = 0; k < 3; k++)
    sum += scaled(v, k + 2);
  return sum;
}

kernel void inlined(global int *out, global const int *in, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int first = scaled(in[i], 5);
  int second = folded(first);
  out[i] = second;
  out[i] += scaled(second, in[i]);
}
