// Rays against spheres: the nearest hit, its normal, and light.
typedef struct { float4 centre; float radius; uint colour; } Sphere;
kernel void ray_spheres(global const Sphere *spheres, int count, global float *light,
                        global uint *colours) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  float3 direction = normalize((float3)((x + 0.5f) / w - 0.5f, (y + 0.5f) / h - 0.5f, 1.0f));
  float nearest = 1e30f;
  int hit = -1;
  for (int k = 0; k < count; ++k) {
    float3 c = spheres[k].centre.xyz;
    float along = dot(c, direction), squared = dot(c, c) - along * along;
    float r2 = spheres[k].radius * spheres[k].radius;
    if (squared > r2) continue;
    float t = along - sqrt(r2 - squared);
    if (t > 0.0f && t < nearest) {
      nearest = t;
      hit = k;
    }
  }
  int at = y * w + x;
  light[at] = 0.0f;
  colours[at] = 0;
  if (hit >= 0) {
    float3 normal = normalize(direction * nearest - spheres[hit].centre.xyz);
    light[at] = max(0.0f, -dot(normal, normalize((float3)(1.0f, 1.0f, 2.0f))));
    colours[at] = spheres[hit].colour;
  }
}
