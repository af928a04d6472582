// Which of some spheres, and how far away, each ray meets first.
float meets(float3 ray, float4 sphere) {
    const float middle = dot(sphere.xyz, ray);
    const float inside = middle * middle - dot(sphere.xyz, sphere.xyz) + sphere.w * sphere.w;
    if (inside < 0.0f)
        return -1.0f;
    const float root = sqrt(inside), near = middle - root;
    return near > 0.1f ? near : middle + root;
}

__kernel void spheres(__global const float4 *scene, __global int *first, __global float *far, int count) {
    const int pixel = get_global_id(0);
    const float3 ray = (float3)(0.5f - 0.0625f * pixel, 0.25f, 0.75f);
    float nearest = 100.0f;
    int which = -1;
    for (int i = 0; i < count; i++) {
        const float distance = meets(ray, scene[i]);
        if (distance > 0.1f && distance < nearest) {
            nearest = distance;
            which = i;
        }
    }
    first[pixel] = which;
    far[pixel] = nearest;
}
