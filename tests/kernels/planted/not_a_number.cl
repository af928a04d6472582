/* Planted: a length of 0 is divided by. */
kernel void not_a_number(global const float *in, global float *out) {
  int i = get_global_id(0);
  float length = fabs(in[i]);
  float unit = in[i] / length;
  out[i] = unit;
}
