// Looks keys up in an open hash table, in which small numbers are no entries.
kernel void probe(global uint *found, global const uint *table, uint mask) {
  uint id = get_global_id(0);
  uint key = id * 7 + 3;
  uint slot = (key * 2654435761u >> 16) & mask;
  uint entry = table[slot];
  while (entry >> 29 != 0) {
    if (entry % 16 == key % 16)
      break;
    uint jump = (entry & 3) + 1;
    slot = (slot + jump) & mask;
    entry = table[slot];
  }
  found[id] = slot * 1000 + (entry >> 24);
}
