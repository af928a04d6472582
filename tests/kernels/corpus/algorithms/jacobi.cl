// Jacobi iteration of a linear system until the largest change is small.
kernel void jacobi(global const float *matrix, global const float *right, global float *x,
                   global int *rounds) {
  local float now[32];
  local uint changed;
  int l = get_local_id(0), round = 0;
  now[l] = 0.0f;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) changed = 0;
    float sum = right[l];
    for (int k = 0; k < 32; ++k)
      if (k != l) sum -= matrix[l * 32 + k] * now[k];
    float next = sum / matrix[l * 32 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (fabs(next - now[l]) > 1e-3f) atomic_or(&changed, 1u);
    now[l] = next;
    ++round;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (changed && round < 50);
  x[l] = now[l];
  if (l == 0) rounds[0] = round;
}
