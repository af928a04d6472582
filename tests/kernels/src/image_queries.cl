// What a kernel can ask of an image.
kernel void ask_sizes(read_only image1d_t a, read_only image1d_buffer_t b,
                      read_only image1d_array_t c, read_only image2d_t d,
                      read_only image2d_array_t e, read_only image3d_t f, global int *to) {
  int i = get_global_id(0) * 16;
  to[i] = get_image_width(a);
  to[i + 1] = get_image_width(b);
  to[i + 2] = get_image_width(c);
  to[i + 3] = get_image_array_size(c);
  to[i + 4] = get_image_width(d);
  to[i + 5] = get_image_height(d);
  to[i + 6] = get_image_dim(e).x;
  to[i + 7] = get_image_dim(e).y;
  to[i + 8] = get_image_array_size(e);
  to[i + 9] = get_image_dim(f).x;
  to[i + 10] = get_image_dim(f).y;
  to[i + 11] = get_image_depth(f);
}
kernel void ask_formats(read_only image2d_t a, write_only image2d_t b, read_only image3d_t c,
                        global int *to) {
  int i = get_global_id(0) * 8;
  to[i] = get_image_channel_data_type(a);
  to[i + 1] = get_image_channel_order(a);
  to[i + 2] = get_image_channel_data_type(b);
  to[i + 3] = get_image_channel_order(b);
  to[i + 4] = get_image_channel_data_type(c);
  to[i + 5] = get_image_channel_order(c);
  to[i + 6] = get_image_width(b);
}
