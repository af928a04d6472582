// The potential of some atoms at the points of a slice of a grid (Parboil's cutcp), within a radius.
typedef struct {
  float x, y, z, charge;
} Atom;

float square(float a) { return a * a; }

kernel void potential(global const Atom *atoms, int count, global float *grid, float spacing, float z, float cutoff) {
  const int i = get_global_id(0);
  const int j = get_global_id(1);
  const float x = spacing * i;
  const float y = spacing * j;
  const float cutoff2 = cutoff * cutoff;
  float energy = 0.0f;
  int near = 0;
  for (int n = 0; n < count; n++) {
    const Atom atom = atoms[n];
    float dx = x - atom.x;
    float dy = y - atom.y;
    float dz = z - atom.z;
    float r2 = square(dx) + square(dy) + square(dz);
    if (r2 >= cutoff2)
      continue;
    float s = 1.0f - r2 / cutoff2;
    energy += atom.charge * rsqrt(r2) * s * s;
    near++;
  }
  const int at = j * get_global_size(0) + i;
  float before = grid[at];
  grid[at] = before + energy * near;
}
