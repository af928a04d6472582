// A step of speckle-reducing anisotropic diffusion on one tile of an ultrasound image: the
// statistics of the tile, the diffusion coefficients in local memory, and the update.
#define EDGE(value, size) clamp((value), 0, (size) - 1)

static inline float coefficient_of(float variation, float reference) {
  float excess = (variation - reference) / (reference * (1.0f + reference));
  float coefficient = 1.0f / (1.0f + excess);
  return clamp(coefficient, 0.0f, 1.0f);
}

__kernel void speckle(__global const float *image, __global float *smoothed,
                        __global float *coefficients, __global float *statistics,
                        __local float *tile, __local float2 *partial, __local float *diffusion,
                        float lambda, int columns, int rows) {
  int column = get_local_id(0);
  int row = get_local_id(1);
  int place = row * columns + column;
  int pixels = columns * rows;
  float centre = exp(image[place]);
  tile[place] = centre;
  partial[place] = (float2)(centre, centre * centre);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int half_size = pixels / 2; half_size > 0; half_size >>= 1) {
    if (place < half_size)
      partial[place] += partial[place + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float2 sums = partial[0];
  float mean = sums.x / (float)pixels;
  float variance = sums.y / (float)pixels - mean * mean;
  float reference = variance / (mean * mean);

  int north = EDGE(row - 1, rows) * columns + column;
  int south = EDGE(row + 1, rows) * columns + column;
  int west = row * columns + EDGE(column - 1, columns);
  int east = row * columns + EDGE(column + 1, columns);
  float to_north = tile[north] - centre;
  float to_south = tile[south] - centre;
  float to_west = tile[west] - centre;
  float to_east = tile[east] - centre;
  float squares = to_north * to_north + to_south * to_south;
  squares += to_west * to_west + to_east * to_east;
  float gradient = squares / (centre * centre);
  float laplacian = (to_north + to_south + to_west + to_east) / centre;
  float numerator = 0.5f * gradient - laplacian * laplacian / 16.0f;
  float denominator = 1.0f + 0.25f * laplacian;
  float variation = fmax(numerator, 0.0f) / (denominator * denominator);
  float own = coefficient_of(variation, reference);
  diffusion[place] = own;
  barrier(CLK_LOCAL_MEM_FENCE);

  float below = diffusion[south];
  float right = diffusion[east];
  float divergence = own * to_north + below * to_south;
  divergence += own * to_west + right * to_east;
  float updated = centre + 0.25f * lambda * divergence;
  smoothed[place] = log(updated);
  coefficients[place] = own;
  if (place == 0) {
    statistics[0] = mean;
    statistics[1] = variance;
  }
}
