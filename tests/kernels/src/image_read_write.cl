// Images that one kernel both reads and writes.
kernel void scale_in_place(read_write image2d_t it, float factor) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(it, p, read_imagef(it, p) * factor);
}
kernel void smooth_in_place(read_write image2d_t it) {
  int2 p = (int2)(get_local_id(0), get_local_id(1));
  uint4 sum = read_imageui(it, p);
  sum += read_imageui(it, (p + (int2)(1, 0)) & 7);
  sum += read_imageui(it, (p + (int2)(0, 1)) & 7);
  work_group_barrier(CLK_IMAGE_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  write_imageui(it, p, sum);
}
kernel void volume_in_place(read_write image3d_t it) {
  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  write_imagei(it, p, read_imagei(it, p) * 3 - p.xyzw);
}
kernel void line_in_place(read_write image1d_t it, read_write image1d_array_t rows) {
  int x = get_global_id(0);
  write_imagei(it, x, -read_imagei(it, x));
  write_imagei(rows, (int2)(x, 1), read_imagei(rows, (int2)(x, 0)));
}
