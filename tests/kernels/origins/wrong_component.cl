/* Planted: a component is made from the wrong one. */
kernel void wrong_component(global const int4 *in, global int4 *out) {
  int i = get_global_id(0);
  int4 value = in[i];
  int4 result = value + 1;
  result.z = value.w * 3;  /* guilty */
  out[i] = result;
}
