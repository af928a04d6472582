// What docs/guide.md names in its expressions.
kernel void guide(global float *p, int a) {
  int i = get_global_id(0);
  int row[4] = {i, a, 2 * a, 3 * a};
  int4 v = (int4)(1, 2, 3, 4) * a;
  bool flag = i & 1;
  float value = p[i];
  value += row[a & 3] + v.x + flag;
  p[i] = value;
}
