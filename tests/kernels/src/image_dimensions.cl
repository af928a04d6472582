// Reads and writes without a sampler, by every shape of image: integer coordinates, one texel each.
kernel void copy_1d(read_only image1d_t from, write_only image1d_t to) {
  int x = get_global_id(0);
  write_imagei(to, x, read_imagei(from, x) + (int4)(1, 2, 3, 4));
}
kernel void copy_1d_buffer(read_only image1d_buffer_t from, write_only image1d_buffer_t to) {
  int x = get_global_id(0);
  write_imageui(to, x, read_imageui(from, x) ^ (uint4)(x));
}
kernel void copy_1d_array(read_only image1d_array_t from, write_only image1d_array_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, p, read_imagef(from, p) * 0.5f);
}
kernel void copy_2d(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, p.yx, read_imageui(from, p));
}
kernel void copy_2d_array(read_only image2d_array_t from, write_only image2d_array_t to) {
  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  write_imagei(to, p, read_imagei(from, p) - p);
}
kernel void copy_3d(read_only image3d_t from, write_only image3d_t to) {
  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  write_imagef(to, p, read_imagef(from, p) + (float4)(p.x, p.y, p.z, 1.0f));
}
