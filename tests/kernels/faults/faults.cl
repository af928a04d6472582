kernel void faults(global int *data, long at, int kind) {
  global int *place = data + at + get_global_id(0);
  if (kind == 0)
    data[get_global_id(0)] = *place;
  else if (kind == 1)
    *place = kind;
  else
    atomic_inc(place);
}
