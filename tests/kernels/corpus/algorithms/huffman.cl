// Lengths of Huffman codes: frequencies in local memory, then merging by one work-item.
kernel void huffman(global const uchar *text, int length, global uint *lengths, global uint *bits) {
  local uint frequency[32];
  local int parent[64];
  local uint weight[64];
  int l = get_local_id(0);
  frequency[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = l; k < length; k += 32) atomic_inc(&frequency[text[k] & 31]);
  barrier(CLK_LOCAL_MEM_FENCE);
  weight[l] = frequency[l] + 1;
  weight[l + 32] = 0;
  parent[l] = parent[l + 32] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int next = 32; next < 63; ++next) {
      int low = -1, second = -1;
      for (int k = 0; k < next; ++k) {
        if (parent[k] >= 0) continue;
        if (low < 0 || weight[k] < weight[low]) { second = low; low = k; }
        else if (second < 0 || weight[k] < weight[second]) second = k;
      }
      parent[low] = parent[second] = next;
      weight[next] = weight[low] + weight[second];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint depth = 0;
  for (int node = l; parent[node] >= 0; node = parent[node]) ++depth;
  lengths[l] = depth;
  bits[l] = depth * frequency[l];
}
