// doubles: Newton's iteration for the roots of z^3 - 1.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void newton_fractal(global int *roots, global double2 *points) {
  int x = get_global_id(0), y = get_global_id(1), at = y * get_global_size(0) + x;
  double2 z = (double2)(x - 7.5, y - 3.5) * 0.37;
  int steps = 0;
  for (; steps < 30; ++steps) {
    double2 square = (double2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y);
    double2 cube = (double2)(square.x * z.x - square.y * z.y, square.x * z.y + square.y * z.x);
    double2 top = cube - (double2)(1, 0), bottom = 3 * square;
    double norm = dot(bottom, bottom);
    double2 step = (double2)(top.x * bottom.x + top.y * bottom.y, top.y * bottom.x - top.x * bottom.y) / norm;
    z -= step;
    if (dot(step, step) < 1e-12) break;
  }
  roots[at] = z.x > 0 ? 1 : z.y > 0 ? 2 : 3;
  points[at] = z;
}
