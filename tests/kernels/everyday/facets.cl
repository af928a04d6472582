// How much light the triangles between the points of a surface reflect.
float3 unit(float3 v) {
    return v / sqrt(dot(v, v));
}

__kernel void facets(__global const float *heights, __global float *lit, int width, float spacing, float3 sun) {
    const int at = get_global_id(1) * (width + 1) + get_global_id(0);
    const float3 across = (float3)(spacing, 0.0f, heights[at + 1] - heights[at]);
    const float3 along = (float3)(0.0f, spacing, heights[at + width + 1] - heights[at]);
    const float3 above = cross(across, along);
    const float3 normal = unit(above);
    const float3 light = unit(sun);
    const float facing = dot(normal, light);
    lit[get_global_id(1) * width + get_global_id(0)] = fmax(facing, 0.1f);
}
