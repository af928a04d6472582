kernel void sort_tile(global uint *sorted, global const uint *keys, local uint *tile) {
  uint gid = get_global_id(0), lid = get_local_id(0);
  uint items = get_local_size(0);
  tile[lid] = keys[gid] * 7 % 32;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint width = 2; width <= items; width <<= 1) {
    bool rises = (lid & width) == 0;
    for (uint step = width >> 1; step > 0; step >>= 1) {
      uint partner = lid ^ step;
      uint mine = tile[lid], theirs = tile[partner];
      bool takes_less = (partner > lid) == rises;
      uint less = min(mine, theirs), more = max(mine, theirs);
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[lid] = takes_less ? less : more;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  uint result = tile[lid];
  sorted[gid] = result;
}
