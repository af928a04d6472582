// One step of a breadth-first search: the nodes of the frontier give their cost, plus one, to those they lead to.
typedef struct {
  int start;
  int edges;
} Node;

kernel void frontier(global const Node *nodes, global const int *targets, global uchar *mask, global uchar *next,
                     global const uchar *visited, global int *cost, int count) {
  int id = get_global_id(0);
  if (id >= count || !mask[id])
    return;
  mask[id] = 0;
  const Node node = nodes[id];
  const int first = node.start & 31;
  const int last = first + (node.edges & 7);
  int mine = cost[id];
  int reached = 0;
  for (int edge = first; edge < last; edge++) {
    int target = targets[edge] % count;
    if (visited[target] & 1)
      continue;
    int better = mine + 1;
    cost[count + target] = better;
    next[target] = 1;
    reached++;
  }
  cost[2 * count + id] = reached;
}
