/* Planted: the product of two ints overflows before it becomes a long. */
kernel void overflow(global long *out, int pitch) {
  int i = get_global_id(0);
  long offset = i * pitch;
  long place = offset + i;
  out[i] = place;
}
