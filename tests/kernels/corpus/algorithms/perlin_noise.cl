// Gradient noise in three dimensions with a permutation table.
float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
float gradient(int hash, float x, float y, float z) {
  int h = hash & 15;
  float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
  return (h & 1 ? -u : u) + (h & 2 ? -v : v);
}
kernel void perlin_noise(constant uchar *p, global float *out, float scale) {
  float3 at = (float3)(get_global_id(0), get_global_id(1), 3.7f) * scale;
  float3 cell = floor(at), f = at - cell;
  int x = (int)cell.x & 255, y = (int)cell.y & 255, z = (int)cell.z & 255;
#define HASH(a) p[(a) & 255]
  int a = HASH(x) + y, b = HASH(x + 1) + y;
  float corners[8];
  for (int k = 0; k < 8; ++k) {
    int dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
    int hash = HASH(HASH((dx ? b : a) + dy) + z + dz);
    corners[k] = gradient(hash, f.x - dx, f.y - dy, f.z - dz);
  }
  float u = fade(f.x), v = fade(f.y), w = fade(f.z);
  float near = mix(mix(corners[0], corners[1], u), mix(corners[2], corners[3], u), v);
  float far = mix(mix(corners[4], corners[5], u), mix(corners[6], corners[7], u), v);
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = mix(near, far, w);
}
