/* Planted: groups have 16 work-items, not 8, and write over each other. */
kernel void wrong_group(global const int *in, global int *out) {
  int group = get_group_id(0), l = get_local_id(0);
  int i = group * 8 + l;  /* guilty */
  out[i] = in[get_global_id(0)] + group;
}
