/* Planted: a step of 0 never gets to the end, in one work-item. */
kernel void endless_search(global const int *steps, global int *out, int n) {
  int i = get_global_id(0);
  int at = 0, turns = 0;
  while (at < n) {
    at += steps[i];
    turns++;
  }
  out[i] = turns;
}
