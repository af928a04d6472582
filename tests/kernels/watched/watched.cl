typedef struct {
  int n;
  float sum;
} Total;

__attribute__((noinline)) void add(global float *where, int i, float by) {
  for (int j = 0; j < 3; j++)
    where[i] += by;
}

kernel void watched(global float *to, global const float *from, int n) {
  local float tile[16];
  int gid = get_global_id(0), lid = get_local_id(0);
  int at = gid * 2 + 1;
  Total own;
  own.n = 0;
  own.sum = 0.0f;
  tile[lid] = from[gid];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < gid % n; k++) {
    if (k & 1)
      *(to + at) += from[gid] + 1;
    else
      tile[lid] += 2.0f;
    own.n++;
    own.sum += tile[lid];
  }
  add(to, at, own.sum);
  to[at] += own.n;
}
