// Tracks of a radar, each by a Kalman filter of constant velocity: predict, gate, correct.
typedef struct {
    float2 position;
    float2 velocity;
    float var_pos;
    float cov;
    float var_vel;
    uint missed;
} Track;

typedef struct {
    float dt;
    float process_noise;
    float sensor_noise;
    float gate;
} FilterConfig;

void predict(Track *t, float dt, float q)
{
    t->position += t->velocity * dt;
    const float dt2 = dt * dt;
    const float pp = t->var_pos + 2.0f * dt * t->cov + dt2 * t->var_vel;
    const float pv = t->cov + dt * t->var_vel;
    t->var_pos = pp + q * dt2 * dt2 * 0.25f;
    t->cov = pv + q * dt2 * dt * 0.5f;
    t->var_vel += q * dt2;
}

float mahalanobis(float2 residual, float variance)
{
    return dot(residual, residual) / variance;
}

__kernel void kalman(__global Track *tracks,
                     __global const float2 *plots,
                     __global float *likelihood,
                     FilterConfig config,
                     int scans)
{
    const int id = get_global_id(0);
    const int count = get_global_size(0);
    Track track = tracks[id];
    int first = 0;

    if (track.var_pos == 0.0f) {
        track.position = plots[id];
        track.velocity = (float2)(0.0f);
        track.var_pos = config.sensor_noise;
        track.cov = 0.0f;
        track.var_vel = 1.0f;
        track.missed = 0;
        first = 1;
    }

    float log_likelihood = 0.0f;
    for (int scan = first; scan < scans; ++scan) {
        predict(&track, config.dt, config.process_noise);

        const float2 plot = plots[scan * count + id];
        const float2 residual = plot - track.position;
        const float innovation = track.var_pos + config.sensor_noise;
        const float distance = mahalanobis(residual, innovation);
        if (distance > config.gate) {
            track.missed++;
            continue;
        }

        const float gain_pos = track.var_pos / innovation;
        const float gain_vel = track.cov / innovation;
        track.position += gain_pos * residual;
        track.velocity += gain_vel * residual;
        const float keep = 1.0f - gain_pos;
        track.var_vel -= gain_vel * track.cov;
        track.cov *= keep;
        track.var_pos *= keep;
        log_likelihood -= 0.5f * (distance + log(innovation));
    }

    tracks[id] = track;
    likelihood[id] = log_likelihood;
}
