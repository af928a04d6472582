// To which set each element belongs: every link leads to an element before it.
kernel void sets(global uint *root, global const uint *links, uint count) {
  uint id = get_global_id(0);
  if (id >= count)
    return;
  uint node = id, parent = node - links[node] % 5;
  uint path = 0;
  while (parent < node) {
    path ^= node;
    node = parent;
    uint link = links[node] % 5;
    parent = link > node ? 0 : node - link;
  }
  root[id] = node;
  root[count + id] = path;
}
