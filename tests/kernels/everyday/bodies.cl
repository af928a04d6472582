kernel void bodies(global float4 *out, global const float4 *body, int n, float dt) {
  int i = get_global_id(0);
  float4 me = body[i];
  float3 force = (float3)(0.0f);
  for (int j = 0; j < n; j++) {
    float4 other = body[j];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float square = dx * dx + dy * dy + dz * dz + 0.01f;
    float inverse = 1.0f / sqrt(square);
    float strength = other.w * inverse * inverse * inverse;
    force.x += dx * strength;
    force.y += dy * strength;
    force.z += dz * strength;
  }
  float scale = dt * me.w;
  float4 moved = me;
  moved.x += force.x * scale;
  moved.y += force.y * scale;
  moved.z += force.z * scale;
  out[i] = moved;
}
