/* Planted: the host packs char and float without the hole that the compiler leaves. */
struct item {
  char kind;
  float weight;
};
kernel void layout(global const struct item *items, global float *out) {
  int i = get_global_id(0);
  float weight = items[i].weight;
  out[i] = weight;
}
