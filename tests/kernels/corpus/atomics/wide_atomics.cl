// Every atomic on 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void wide_atomics(volatile global long *words, volatile global ulong *unsigned_words,
                         global const long *in) {
  long x = in[get_global_id(0)];
  atom_add(words, x);
  atom_sub(words + 1, x);
  atom_inc(words + 2);
  atom_dec(words + 3);
  atom_min(words + 4, x);
  atom_max(words + 5, x);
  atom_and(words + 6, x | 0xffffffff);
  atom_or(words + 7, 1L << (x & 63));
  atom_xor(words + 8, x);
  atom_xchg(words + 9, 1L << 50);
  atom_cmpxchg(words + 10, 1L << 33, 5L);
  atom_min(unsigned_words, (ulong)x);
  atom_max(unsigned_words + 1, (ulong)x);
}
