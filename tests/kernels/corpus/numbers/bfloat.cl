// bfloat16 as a storage format: the compiler's conversions.
#ifdef cl_intel_bfloat16_conversions
#define TO_BF16(x) intel_convert_bfloat16_as_ushort(x)
#define FROM_BF16(x) intel_convert_as_bfloat16_float(x)
#else
// Round to nearest even on the bits.
ushort to_bf16(float x) {
  uint bits = as_uint(x);
  if (isnan(x)) return (bits >> 16) | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
#define TO_BF16(x) to_bf16(x)
#define FROM_BF16(x) as_float((uint)(x) << 16)
#endif
kernel void bfloat(global const float *in, global const ushort *stored, global ushort *out,
                   global float *wide) {
  size_t i = get_global_id(0);
  out[i] = TO_BF16(in[i]);
  wide[i] = FROM_BF16(stored[i]) + FROM_BF16(TO_BF16(in[i] * 3.0f));
}
