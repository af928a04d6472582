kernel void escape_time(global uint *out, float x0, float y0, float step, uint most) {
  uint px = get_global_id(0), py = get_global_id(1);
  float cx = x0 + px * step, cy = y0 + py * step;
  float x = 0, y = 0;
  uint n = 0;
  while (n < most) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f)
      break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    n++;
  }
  uint width = get_global_size(0);
  uint where = py * width + px;
  out[where] = n;
}
