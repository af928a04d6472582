// Calls a function of another module: linked by zeModuleDynamicLink.
int library_step(int value, global const int *table);
kernel void imports(global const int *table, global int *out) {
  int i = get_global_id(0);
  out[i] = library_step(i, table) + 1;
}
