// A step of a lattice Boltzmann fluid with nine velocities on a torus.
constant int kX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int kY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float kW[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9,
                        1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
kernel void lattice_gas(global const float *in, global float *out, float omega) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  int cells = w * h;
  float f[9], density = 0.0f;
  float2 velocity = (float2)(0.0f);
  for (int k = 0; k < 9; ++k) {
    f[k] = in[k * cells + (y - kY[k] + h) % h * w + (x - kX[k] + w) % w];
    density += f[k];
    velocity += f[k] * (float2)(kX[k], kY[k]);
  }
  velocity /= density;
  float squared = dot(velocity, velocity);
  for (int k = 0; k < 9; ++k) {
    float along = kX[k] * velocity.x + kY[k] * velocity.y;
    float equilibrium = kW[k] * density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * squared);
    out[k * cells + y * w + x] = f[k] + omega * (equilibrium - f[k]);
  }
}
