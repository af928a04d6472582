/* Planted: the loop adds one element too many, that of the next row. */
kernel void off_by_one(global const int *in, global int *out) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k <= 4; ++k)
    sum += in[i * 4 + k];  /* guilty */
  out[i] = sum;
}
