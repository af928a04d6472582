// A fast Fourier transform of 64 points for each work-group, in local memory.
// Three bits reversed. (A loop over bits is miscompiled by the older of Intel's compilers, which
// takes it for a reversal of a 6-bit type.)
constant uchar kReversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
kernel void fft(global const float2 *in, global float2 *out) {
  local float2 points[64];
  uint l = get_local_id(0), base = get_group_id(0) * 64;
  for (uint k = l; k < 64; k += 32) {
    points[kReversed[k & 7] * 8 + kReversed[k >> 3]] = in[base + k];
  }
  for (uint half_ = 1; half_ < 64; half_ *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint j = l & (half_ - 1), at = 2 * (l - j) + j;
    float angle = -M_PI_F * j / half_;
    float2 w = (float2)(cos(angle), sin(angle)), b = points[at + half_], a = points[at];
    float2 t = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
    points[at] = a + t;
    points[at + half_] = a - t;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = points[l];
  out[base + l + 32] = points[l + 32];
}
