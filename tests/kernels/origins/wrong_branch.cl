/* Planted: the limit itself ought to count as below it. */
kernel void wrong_branch(global const int *in, global int *out, int limit) {
  int i = get_global_id(0);
  int kind;
  if (in[i] < limit)
    kind = in[i] + 1;
  else
    kind = in[i] - 1;  /* guilty */
  out[i] = kind;
}
