// Every integer atomic in local memory, each on a word of its own.
kernel void local_atomics(global const int *in, global int *out) {
  local int words[12];
  local uint unsigned_words[2];
  int l = get_local_id(0);
  if (l < 12) words[l] = l == 6 ? -1 : l * 10;
  if (l < 2) unsigned_words[l] = 50;
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = in[get_global_id(0)];
  atomic_add(&words[0], x);
  atomic_sub(&words[1], x);
  atomic_inc(&words[2]);
  atomic_dec(&words[3]);
  atomic_min(&words[4], x);
  atomic_max(&words[5], x);
  atomic_and(&words[6], x | 0xff);
  atomic_or(&words[7], 1 << (x & 31));
  atomic_xor(&words[8], x);
  atomic_xchg(&words[9], 77);
  atomic_cmpxchg(&words[10], 100, 5);
  atomic_min(&unsigned_words[0], (uint)x);
  atomic_max(&unsigned_words[1], (uint)x);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 12) out[get_group_id(0) * 14 + l] = words[l];
  if (l < 2) out[get_group_id(0) * 14 + 12 + l] = (int)unsigned_words[l];
}
