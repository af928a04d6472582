typedef struct { uint count; float mean; short tag; } bin;
kernel void histogram(global bin *bins, global const uchar *pix, int n, int per) {
  int who = get_global_id(0);
  uint counts[8];
  for (int k = 0; k < 8; k++)
    counts[k] = 0;
  int first = who * per, last = min(first + per, n);
  float sum = 0;
  for (int p = first; p < last; p++) {
    uchar v = pix[p];
    uint slot = v >> 5;
    counts[slot]++;
    sum += v;
  }
  uint best = 0;
  for (uint k = 1; k < 8; k++)
    if (counts[k] > counts[best])
      best = k;
  bin mine;
  mine.count = counts[best];
  mine.mean = sum / (last - first);
  mine.tag = (short)best - who;
  bins[who] = mine;
}
