// Particles that drift down the slope of a field, a grid of work-items over all of them.
typedef struct {
    float x, speed;
    int kind;
    int steps;
} Particle;

static float field_at(__global const float *field, int cells, float x)
{
    const int left = clamp((int)floor(x), 0, cells - 2);
    const float part = x - left;
    const float a = field[left];
    const float b = field[left + 1];
    return a + (b - a) * part;
}

__kernel void drift(__global Particle *particles, __global const float *field,
                    __global float *energies, int count, int cells, float time)
{
    const int first = get_global_id(0);
    for (int number = first; number < count; number += get_global_size(0)) {
        Particle particle = particles[number];
        const float sign = (particle.kind & 1) ? -1.0f : 1.0f;
        particle.x *= cells;
        for (int step = 0; step < 2; step++) {
            const float slope = field_at(field, cells, particle.x + 0.5f) - field_at(field, cells, particle.x - 0.5f);
            particle.speed -= sign * slope * time;
            particle.x += particle.speed * time;
        }
        particles[number] = particle;
        energies[number] = 0.5f * particle.speed * particle.speed;
    }
}
