// The four nearest of a set of points, kept sorted by insertion.
kernel void nearest_neighbours(global const int2 *queries, global const int2 *points, int count,
                               global int4 *out) {
  int2 q = queries[get_global_id(0)];
  int best[4] = {INT_MAX, INT_MAX, INT_MAX, INT_MAX}, index[4] = {-1, -1, -1, -1};
  for (int k = 0; k < count; ++k) {
    int2 d = points[k] - q;
    int distance_ = d.x * d.x + d.y * d.y;
    if (distance_ >= best[3]) continue;
    int at = 3;
    for (; at > 0 && best[at - 1] > distance_; --at) {
      best[at] = best[at - 1];
      index[at] = index[at - 1];
    }
    best[at] = distance_;
    index[at] = k;
  }
  out[get_global_id(0)] = (int4)(index[0], index[1], index[2], index[3]);
}
