// Variables of the program of which none has a value to begin with: sections .bss.const and
// .bss.global, without .data.const and .data.global.
constant int zeros[64] = {0};
global int counters[64];

kernel void count(global const int *which, global int *out) {
  int id = get_global_id(0);
  int key = which[id] & 63;
  out[id] = zeros[key] + id;
  atomic_inc((volatile global int *)&counters[key]);
}

kernel void counted(global int *out) { out[get_global_id(0)] = counters[get_global_id(0) & 63]; }

kernel void only_zeros(global const int *which, global int *out) {
  out[get_global_id(0)] = zeros[which[get_global_id(0)] & 63] + 1;
}
