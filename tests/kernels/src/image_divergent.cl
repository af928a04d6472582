// Lanes that disagree: images read and written by some lanes only, in loops, at two widths.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void divergent16(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  uint4 sum = (uint4)(0);
  for (int i = 0; i <= (p.x & 3); ++i)
    if ((p.x + i) % 3 != 0) sum += read_imageui(from, (int2)(p.x + i, p.y));
  if ((p.x ^ p.y) & 1) write_imageui(to, p, sum);
}
__attribute__((intel_reqd_sub_group_size(32)))
kernel void divergent32(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  uint4 sum = (uint4)(0);
  for (int i = 0; i <= (p.x & 3); ++i)
    if ((p.x + i) % 3 != 0) sum += read_imageui(from, (int2)(p.x + i, p.y));
  if ((p.x ^ p.y) & 1) write_imageui(to, p, sum);
}
