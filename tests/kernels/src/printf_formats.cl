// Conversions, flags, lengths and vectors of printf; one work-item at a time prints in order.
kernel void printf_formats(global const float *f, global const long *l) {
  int i = get_global_id(0);
  printf("plain 100%%\n");
  printf("%d %i %u %o %x %X %#x %c %s\n", -5 - i, 6 + i, 7u, 8, 255, 255, 255, 'a' + i, "text");
  printf("[%8d] [%-8d] [%08d] [%+d] [% d] [%.3d] [%10s]\n", i, i, i, i, i, i, "abcdef");
  printf("%hhd %hd %hu %hhu\n", 300 + i, 70000, 70000, 300);
  printf("%ld %lu %lx %lo\n", l[i], (ulong)l[i], l[i], (ulong)l[i]);
  printf("%f %.2f %10.3f %-10.1f| %+e %g %G\n", f[i], f[i], f[i], f[i], f[i], f[i], f[i]);
  printf("%v4hld %v2hlu %v3hld\n", (int4)(i, -1, 2, -3), (uint2)(i, 4), (int3)(7, -8, 9));
  printf("%v4hlf %.1v2hlf\n", (float4)(f[i], 1.0f, -2.5f, 0.0f), (float2)(f[i], 8.25f));
  printf("%v2hhd %v4hx %v2ld\n", (char2)(i, -1), (ushort4)(1, 2, 3, 4), (long2)(l[i], -1));
}
