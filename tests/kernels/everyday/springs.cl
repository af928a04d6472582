// Forces between the particles of a sheet and those around them, and the nearest ball that each
// one is inside of.
#define WIDTH 8
#define HEIGHT 2

typedef struct {
    float stiffness, spacing;
} Sheet;

float3 pull(float3 from, float3 to, float rest, float stiffness)
{
    float3 along = to - from;
    float distance = length(along);
    if (distance < 1e-6f)
        return (float3)(0.0f);
    float stretch = distance - rest;
    return along * (stiffness * stretch / distance);
}

bool is_inside(float3 point, __global const float *ball, float *least)
{
    float3 away = point - vload3(0, ball);
    float radius = ball[3];
    float depth = radius * radius - dot(away, away);
    if (depth < 0.0f)
        return false;
    float share = depth / radius;
    if (share >= *least)
        return false;
    *least = share;
    return true;
}

__kernel void springs(__global const float4 *positions, __global const float *balls,
                      __global float4 *forces, __global int *nearest, Sheet sheet)
{
    __local float3 tile[HEIGHT][WIDTH];
    int column = get_local_id(0), row = get_local_id(1);
    int index = row * WIDTH + column;
    float3 own = positions[index].xyz;
    tile[row][column] = own;
    barrier(CLK_LOCAL_MEM_FENCE);

    float3 force = (float3)(0.0f);
    for (int dy = -1; dy <= 1; ++dy) {
        int y = row + dy;
        if (y < 0 || y >= HEIGHT)
            continue;
        for (int dx = -1; dx <= 1; ++dx) {
            int x = column + dx;
            if ((dx == 0 && dy == 0) || x < 0 || x >= WIDTH)
                continue;
            bool is_diagonal = dx != 0 && dy != 0;
            float rest = is_diagonal ? sheet.spacing * M_SQRT2_F : sheet.spacing;
            force += pull(own, tile[y][x], rest, sheet.stiffness);
        }
    }

    float least = 100.0f;
    int found = -1;
    for (int i = 0; i < 3; ++i) {
        if (is_inside(own, balls + 4 * i, &least))
            found = i;
    }
    forces[index] = (float4)(force, least);
    nearest[index] = found;
}
