/* Planted: the tile is read before all of the work-group have written it. */
kernel void missing_barrier(global const int *in, global int *out) {
  local int tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i];
  out[i] = tile[63 - l];  /* guilty */
}
