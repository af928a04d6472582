// Chains of nodes in a pool: reversal in place and a search, with offsets for pointers.
typedef struct { int value; int next; } Node;
kernel void linked_list(global Node *pool, global const int *heads, global int *out) {
  size_t i = get_global_id(0);
  int current = heads[i], previous = -1, length = 0, largest = INT_MIN;
  while (current >= 0) {
    global Node *node = pool + current;
    int next = node->next;
    node->next = previous;
    previous = current;
    current = next;
    largest = max(largest, node->value);
    ++length;
  }
  int position = 0;
  for (current = previous; current >= 0 && pool[current].value != largest; ++position)
    current = pool[current].next;
  out[i] = length * 10000 + position * 100 + (previous & 63);
}
