// Solutions of the eight queens problem that begin in two given columns, by backtracking.
kernel void queens(global int *out) {
  uint first = get_global_id(0) & 7, second = get_global_id(0) >> 3;
  uint columns[8], left[8], right[8], open[8];
  int count = 0, row = 2;
  uint a = 1u << first, b = 1u << second;
  if ((b & a) || (b & a << 1) || (b & a >> 1)) {
    out[get_global_id(0)] = 0;
    return;
  }
  columns[2] = a | b;
  left[2] = (a << 1 | b) << 1;
  right[2] = (a >> 1 | b) >> 1;
  open[2] = ~(columns[2] | left[2] | right[2]) & 255;
  while (row >= 2) {
    uint choice = open[row] & -open[row];
    if (choice == 0) { --row; continue; }
    open[row] ^= choice;
    if (row == 7) { ++count; continue; }
    columns[row + 1] = columns[row] | choice;
    left[row + 1] = (left[row] | choice) << 1;
    right[row + 1] = (right[row] | choice) >> 1;
    ++row;
    open[row] = ~(columns[row] | left[row] | right[row]) & 255;
  }
  out[get_global_id(0)] = count;
}
