float weighted(local const float *line, constant const float *weight, int from, int count) {
  float sum = 0;
  for (int k = 0; k < count; k++)
    sum += line[from + k] * weight[k];
  return sum;
}
kernel void convolution(global float *out, global const float *in, constant const float *weight, int n, int radius) {
  local float line[48];
  int gid = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
  int count = 2 * radius + 1;
  int begin = gid - lid - radius;
  for (int k = lid; k < size + 2 * radius; k += size) {
    int from = begin + k;
    float value = 0;
    if (from >= 0 && from < n)
      value = in[from];
    line[k] = value;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = weighted(line, weight, lid, count);
  out[gid] = sum;
}
