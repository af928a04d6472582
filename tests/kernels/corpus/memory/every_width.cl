// Scattered loads and stores of every element size, by indices that collide never.
kernel void every_width(global const uchar *b, global const ushort *w, global const uint *d,
                        global const ulong *q, global uchar *ob, global ushort *ow,
                        global uint *od, global ulong *oq, global const int *order) {
  size_t i = get_global_id(0);
  int at = order[i];
  ob[at] = b[i] + (uchar)w[at];
  ow[at] = w[i] + (ushort)d[at];
  od[at] = d[i] + (uint)q[at];
  oq[at] = q[i] + b[at];
}
