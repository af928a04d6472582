// Numbers that are mixed with a key in rounds of two kinds and with pixels, and rows of these that
// become columns.
uint mixed(uint state, const uint *key) {
  for (int round = 0; round < 24; round++) {
    uint word = key[round & 3];
    if (round >= 10) {
      word = rotate(word ^ state, 5u);
      word += round;
    } else {
      word ^= state >> 3;
    }
    state = rotate(state, 7u) + word;
  }
  return state;
}

kernel void rounds(global const uint *keys, global uint *states, global const uchar *pixels,
                   global short *columns, int tries, int width) {
  const int id = get_global_id(0);
  uint key[4];
  for (int i = 0; i < 4; i++)
    key[i] = keys[i] + id;
  uint state = id;
  for (int try = 0; try < tries; try++) {
    const uint before = state;
    state = mixed(before, key) ^ try;
  }
  const int left = min(3, width - 6 - id);
  uint word = 0;
  for (int i = 0; i < 3; i++) {
    const uint byte = i < left ? pixels[id + i] : 0;
    word = word << 8 | byte;
  }
  states[id] = state ^ word;
  short row[8];
  for (int i = 0; i < 8; i++)
    row[i] = pixels[8 * id + i] - 128;
  for (int i = 0; i < 8; i++) {
    const short own = row[i], other = row[7 - i];
    const short sum = own + other / 3;
    columns[i * width + id] = sum;
  }
}
