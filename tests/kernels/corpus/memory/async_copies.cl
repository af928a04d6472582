// Copies of a whole work-group, straight and strided, and prefetch.
kernel void async_copies(global const int *in, global int *out, global const float4 *wide,
                         global float4 *reversed) {
  local int tile[64];
  local int strided[32];
  local float4 vectors[32];
  size_t group = get_group_id(0), l = get_local_id(0);
  event_t first = async_work_group_copy(tile, in + group * 64, 64, 0);
  event_t second = async_work_group_strided_copy(strided, in + group * 64, 32, 2, first);
  event_t third = async_work_group_copy(vectors, wide + group * 32, 32, 0);
  prefetch(in + group * 64, 64);
  wait_group_events(1, &first);
  wait_group_events(1, &second);
  wait_group_events(1, &third);
  tile[63 - l] += strided[l];
  reversed[group * 32 + l] = vectors[31 - l].wzyx;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t last = async_work_group_copy(out + group * 64, tile, 64, 0);
  wait_group_events(1, &last);
}
