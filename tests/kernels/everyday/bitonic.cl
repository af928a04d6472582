kernel void bitonic(global uint *data, uint stage, uint pass, uint up) {
  uint i = get_global_id(0);
  uint distance = 1u << (stage - pass);
  uint width = distance * 2;
  uint left = (i % distance) + (i / distance) * width;
  uint right = left + distance;
  uint a = data[left], b = data[right];
  uint same = 1u << stage;
  bool falls = (i / same) % 2 == 1;
  bool rising = falls ? !up : up;
  uint least = min(a, b), most = max(a, b);
  if (rising) {
    data[left] = least;
    data[right] = most;
  } else {
    data[left] = most;
    data[right] = least;
  }
}
