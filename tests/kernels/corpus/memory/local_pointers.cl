// Local memory of the kernel's own beside several pointers to more of it, of other alignments.
kernel void local_pointers(local int *a, global const int *in, local uchar *b, local short *c,
                           local long *d, global long *out) {
  local int own[100];
  local uchar flags[37];
  int i = get_local_id(0), n = get_local_size(0), x = in[get_global_id(0)];
  own[i] = x;
  flags[i % 37] = (uchar)i;
  a[i] = x + 1;
  b[i] = (uchar)(x + 2);
  c[i] = (short)(x * 3);
  d[i] = (long)x << 33;
  barrier(CLK_LOCAL_MEM_FENCE);
  int j = n - 1 - i;
  out[get_global_id(0)] = own[j] + 1000L * a[j] + 1000000L * b[j] - c[j] + d[j] + flags[j % 29];
}
