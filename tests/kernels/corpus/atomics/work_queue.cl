// Work handed out by a counter: whoever comes first takes the next item.
kernel void work_queue(volatile global uint *next, global const uint *items, global uint *results,
                       uint count) {
  for (uint item = atomic_inc(next); item < count; item = atomic_inc(next)) {
    uint x = items[item];
    for (uint k = 0; k < (x & 31); ++k) x = x * 1664525u + 1013904223u;
    results[item] = x;
  }
}
