// switch: dense, sparse, with falling through, nested, on 64 bits.
int dense(int x, int y) {
  switch (x & 7) {
    case 0: return y + 1;
    case 1: y *= 3;
    case 2: y -= 7; break;
    case 3: return -y;
    case 4: switch (y & 3) { case 0: y = 40; break; case 1: y += 41; break; default: y ^= 42; }
    case 5: y |= 1; break;
    default: y = x - y;
  }
  return y * 2;
}
int sparse(long x) {
  switch (x) {
    case 3: return 1;
    case 1000: return 2;
    case -77: return 3;
    case 1L << 40: return 4;
    case 500000: return 5;
    default: return (int)(x & 15) + 6;
  }
}
kernel void switches(global const int *in, global const long *wide, global int *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  out[i] = dense(in[i], in[n - 1 - i]);
  out[n + i] = sparse(wide[i]);
}
