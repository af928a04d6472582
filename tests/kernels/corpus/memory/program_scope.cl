// Constants and tables at program scope, of several types, indexed by data.
constant int kSquares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
constant float kWeights[4] = {0.125f, 0.375f, 0.375f, 0.125f};
constant uchar kNames[3][8] = {"alpha", "beta", "gamma"};
constant struct { short first; long second; } kPairs[3] = {{1, 1L << 40}, {-2, -5}, {3, 77}};
kernel void program_scope(global const int *in, global long *out, global float *weighted,
                          constant int *offsets) {
  size_t i = get_global_id(0);
  int x = in[i];
  out[i] = kSquares[x & 15] + kNames[x % 3][x & 3] + kPairs[x % 3].first * kPairs[x % 3].second +
           offsets[x & 7];
  weighted[i] = kWeights[x & 3] * x;
}
