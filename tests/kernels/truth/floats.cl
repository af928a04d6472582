// Floats and halves through loops and functions of the library.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  half h = (half)(in[gid] * 0.5f);
  TH(0, h);
  half g = h * (half)2.0f + (half)n;
  TH(1, g);
  float f = (float)g;
  TF(2, f);
}
kernel void newton(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  float x = in[gid] + 1.0f, y = x * 0.5f, error = 1.0f;
  int k = 0;
#pragma nounroll
  while (fabs(error) > 1e-3f && k < 20) {
    y = 0.5f * (y + x / y);
    TF(0, y);
    error = y * y - x;
    TF(1, error);
    ++k;
  }
  TF(2, y);
  T(3, k);
}
kernel void mixed(global const int *in, global ulong *truth, int n) {
  uint gid = get_global_id(0);
  float a = in[gid] * 0.01f;
  float s = native_sin(a);
  TF(0, s);
  float r = sqrt(a + 1.0f);
  TF(1, r);
  int i = (int)(r * 100.0f);
  T(2, i);
  float m = fma(a, r, s);
  TF(3, m);
  float w = i > n ? m : -m;
  TF(4, w);
}
