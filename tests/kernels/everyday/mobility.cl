// How many squares the pieces of a side can reach on small boards: a function that is not inlined
// walks from a square in one direction, in two loops of the kernel.
ulong shifted(ulong board, int direction) {
  switch (direction) {
  case 0: return board << 8;
  case 1: return board >> 8;
  case 2: return (board & ~0x8080808080808080UL) << 1;
  default: return (board & ~0x0101010101010101UL) >> 1;
  }
}

__attribute__((noinline)) ulong ray(ulong from, ulong occupied, int direction) {
  ulong reached = 0;
  ulong head = shifted(from, direction);
  while (head) {
    reached |= head;
    if (head & occupied)
      break;
    head = shifted(head, direction);
  }
  return reached;
}

kernel void mobility(global const ulong* boards, global ulong* attacked, int most) {
  int position = get_global_id(0);
  ulong own = boards[2 * position] & boards[2 * position + 1];
  ulong occupied = own | boards[32 + position];
  uint code = (uint)occupied;
  ulong all = 0;
  for (int left = most; own != 0 && left > 0; left--) {
    ulong from = own & -own;
    own ^= from;
    ulong targets = 0;
    int first = code & 1 ? 2 : 0;
    int last = code & 2 ? 2 : 4;
    code >>= 1;
    for (int direction = first; direction < last; direction++)
      targets |= ray(from, occupied, direction);
    targets &= ~occupied;
    all |= targets;
  }
  attacked[position] = all;
}
