// Insertion into an open hash table by compare-and-exchange; which slot a key gets depends on who
// was first, which keys are there does not.
kernel void hash_table(global const uint *keys, volatile global uint *slots,
                       volatile global uint *counts, uint mask) {
  uint key = keys[get_global_id(0)];
  uint at = (key * 2654435761u >> 16) & mask;
  while (true) {
    uint seen = atomic_cmpxchg(&slots[at], 0u, key);
    if (seen == 0 || seen == key) {
      atomic_inc(&counts[key & mask]);
      return;
    }
    at = (at + 1) & mask;
  }
}
