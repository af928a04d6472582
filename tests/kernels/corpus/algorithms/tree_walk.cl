// A bounding volume tree walked with a stack of its own for each ray.
typedef struct { float low, high; int left, right; } Node;
kernel void tree_walk(global const Node *nodes, global const float *queries, global int *counts,
                      global int *visited) {
  size_t i = get_global_id(0);
  float q = queries[i];
  int stack[16], top = 0, hits = 0, seen = 0;
  stack[top++] = 0;
  while (top) {
    Node node = nodes[stack[--top]];
    ++seen;
    if (q < node.low || q > node.high) continue;
    if (node.left < 0) { ++hits; continue; }
    stack[top++] = node.right;
    stack[top++] = node.left;
  }
  counts[i] = hits;
  visited[i] = seen;
}
