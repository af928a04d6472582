// What each work-item stores at the end of a kernel it has loaded from local memory.
#define STAY barrier(CLK_LOCAL_MEM_FENCE)

kernel void exchanged(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = 3 * lid + n;
  STAY;
  out[lid] = work[lid ^ 5];
}
kernel void without_barrier(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = 3 * lid + n;
  out[lid] = work[lid ^ 5];
}
kernel void without_fence(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = 3 * lid + n;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[lid] = work[lid ^ 5];
}
kernel void own(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = lid;
  if (lid & 1)
    work[lid] = n;
  out[lid] = work[lid];
}
kernel void overwritten_early(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = lid + n;
  STAY;
  int other = work[lid ^ 1];
  work[lid] = other + 100;
  out[lid] = other;
}
kernel void overwritten(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = lid + n;
  STAY;
  int other = work[lid ^ 1];
  STAY;
  work[lid] = other + 100;
  STAY;
  out[lid] = work[lid ^ 2];
}
kernel void by_several(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid / 2] = lid;
  STAY;
  out[lid] = work[lid / 2];
}
kernel void the_same_by_several(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = 0;
  STAY;
  if (lid > 3)
    work[2] = n;
  STAY;
  out[lid] = work[2] + work[1];
}
kernel void summed(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  if (lid < 4)
    work[lid] = 10 * lid;
  STAY;
  for (int i = 0; i < lid % 3; i++)
    atomic_add(&work[lid & 3], n + i);
  STAY;
  out[lid] = work[lid & 3];
}
kernel void exchanged_atomically(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = 0;
  STAY;
  atomic_xchg(&work[0], lid);
  STAY;
  out[lid] = work[0];
}
kernel void not_set(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  if (lid < 8)
    work[lid] = n;
  STAY;
  out[lid] = work[lid];
}
kernel void copied_in_a_loop(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  for (int i = lid; i < 40; i += 16)
    work[i] = i * n;
  STAY;
  int sum = 0;
  for (int k = 0; k < 24; k++)
    sum += work[lid + k];
  out[lid] = sum;
}
kernel void in_rounds(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = lid;
  STAY;
  for (int round = 0; round < n; round++) {
    int next = work[(lid + 1) & 15] + round;
    STAY;
    work[lid] = next;
    STAY;
  }
  out[lid] = work[lid];
}
kernel void sorted(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = (lid * n) % 16;
  STAY;
  for (int round = 0; round < 16; round++) {
    int left = 2 * lid + (round & 1);
    if (left < 15 && work[left] > work[left + 1]) {
      int greater = work[left];
      work[left] = work[left + 1];
      work[left + 1] = greater;
    }
    STAY;
  }
  out[lid] = work[lid];
}
kernel void some_leave(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  if (lid >= n)
    return;
  work[lid] = lid;
  STAY;
  out[lid] = work[lid & 3];
}
kernel void none_leaves(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  if (lid >= n + 11)
    return;
  work[lid] = lid;
  STAY;
  out[lid] = work[lid & 3];
}
kernel void outside(global int *out, int n, local int *work) {
  local int small[8];
  int lid = get_local_id(0);
  small[lid] = lid;
  work[lid] = n;
  STAY;
  out[lid] = work[0];
}
kernel void parts(global int *out, int n, local int4 *work) {
  int lid = get_local_id(0);
  work[lid] = (int4)(lid, n, 2 * lid, 7);
  STAY;
  local int *single = (local int *)work;
  if (lid == 2)
    single[5] = 99;
  STAY;
  out[lid] = single[lid];
}
void put(local int *where, int what) { *where = what; }
kernel void by_a_function(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  put(&work[lid], n);
  STAY;
  out[lid] = work[lid];
}
int fetch(local int *where, int index) { return where[index] + 1; }
kernel void loaded_by_a_function(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  work[lid] = lid * n;
  STAY;
  out[lid] = fetch(work, lid ^ 3);
}
int sum_of_all(int own, local int *work) {
  int lid = get_local_id(0);
  work[lid] = own;
  STAY;
  for (int reach = 8; reach > 0; reach >>= 1) {
    if (lid < reach)
      work[lid] += work[lid + reach];
    STAY;
  }
  int found = work[0];
  STAY;
  return found;
}
kernel void by_functions(global int *out, int n, local int *work) {
  int lid = get_local_id(0);
  int sum = -lid;
  for (int i = 1; i < 3; i++)
    sum += sum_of_all(i * (lid + n), work);
  out[lid] = sum;
}
kernel void where_another_says(global int *out, int n, local int *work) {
  local int wheres[16], sums[16];
  int lid = get_local_id(0);
  wheres[lid] = lid * 3 & 15;
  sums[lid] = 0;
  STAY;
  work[wheres[lid]] = lid + n;
  atomic_add(&sums[wheres[lid ^ 1]], lid);
  int next = wheres[lid + 1 & 15];
  STAY;
  out[lid] = work[lid] + sums[lid] + next;
}
kernel void outside_where_another_says(global int *out, int n, local int *work) {
  local int wheres[8], small[8];
  int lid = get_local_id(0);
  wheres[lid & 7] = lid & 7;
  STAY;
  small[wheres[lid & 7] + (lid & 8)] = n;
  out[lid] = wheres[lid >> 1];
}
kernel void of_three(global int *out, int n, local int *work) {
  local int3 parts[16];
  int lid = get_local_id(0);
  parts[lid] = (int3)(lid, n, 7);
  STAY;
  int3 other = parts[lid ^ 5];
  out[lid] = other.x * other.y + other.z;
}
kernel void changed_in_a_loop(global int *out, int n, local int *work) {
  local int own[48], count;
  int lid = get_local_id(0), last = 0;
  for (int i = 0; i < 3; i++)
    own[3 * lid + i] = lid + i;
  for (int round = 0; round < n && last != 16; round++) {
    if (lid == 0)
      count = 0;
    STAY;
    int odd = 0;
    for (int i = 0; i < 3; i++)
      odd ^= own[3 * lid + i] & 1;
    for (int i = 0; i < 3; i++)
      own[3 * lid + i] = odd ? round - i : own[3 * lid + i] + lid;
    atomic_add(&count, odd);
    STAY;
    last = count;
    STAY;
  }
  out[lid] = last + own[3 * ((lid + 1) & 15) + 1];
}
kernel void left_in_the_middle(global int *out, int n, local int *work) {
  local int own[16], count;
  int lid = get_local_id(0), last = 0, next = 0;
  own[lid] = lid;
  for (int round = 0; round < n; round++) {
    if (lid == 0)
      count = 0;
    STAY;
    int odd = lid & 1;
    next = own[lid] * 3 + round & 15;
    own[lid] = next;
    atomic_add(&count, next + odd > 9 + round);
    STAY;
    last = count;
    if (last == 4)
      break;
    STAY;
  }
  out[lid] = 100 * last + next;
}
kernel void rests_now_and_then(global int *out, int n, local int *work) {
  local int own[2][16];
  int lid = get_local_id(0), now = 0;
  own[0][lid] = lid * n;
  STAY;
  for (int round = 0; round < n; round++) {
    own[now ^ 1][lid] = own[now][(lid + 3) & 15] + round;
    now ^= 1;
    STAY;
    if (round & 1) {
      int least = own[now][2];
      STAY;
      own[now][lid] -= least;
      STAY;
    }
  }
  out[lid] = own[now][lid ^ 1];
}
kernel void eliminated(global int *out, int n, local int *work) {
  local int row[16][4], order[16];
  int lid = get_local_id(0), last = 0;
  for (int c = 0; c < 4; c++)
    row[lid][c] = (lid * 3 + c * n) & 15;
  order[lid] = lid ^ 1;
  STAY;
  for (int k = 0; k < 4; k++) {
    int top = order[k];
    int pivot = row[top][k];
    last = 10 * k + pivot;
    if (pivot > 9)
      break;
    if (lid > k) {
      int mine = order[lid];
      for (int c = k + 1; c < 4; c++)
        row[mine][c] += row[top][c] * pivot & 7;
    }
    STAY;
  }
  out[lid] = 100 * row[order[lid]][3] + last;
}
kernel void scattered(global int *out, int n, local int *keys, local int *ones) {
  int lid = get_local_id(0);
  keys[lid] = lid * n & 15;
  STAY;
  for (int bit = 0; bit < 2; bit++) {
    int own = keys[lid];
    ones[lid] = own >> bit & 1;
    STAY;
    int before = 0, all = 0;
    for (int i = 0; i < 16; i++) {
      before += i < lid ? ones[i] : 0;
      all += ones[i];
    }
    keys[ones[lid] ? 16 - all + before : lid - before] = own;
    STAY;
  }
  out[lid] = keys[lid ^ 1];
}
kernel void outside_of_an_argument(global int *out, int n, local int *keys, local int *ones) {
  int lid = get_local_id(0);
  keys[lid] = lid;
  ones[lid] = n;
  STAY;
  keys[ones[lid] + 123 + lid] = 7;
  STAY;
  out[lid] = ones[lid];
}
kernel void shared_out(global int *out, int n, local int *work) {
  local int share[8];
  int lid = get_local_id(0);
  if (lid == 0) {
    int top = 0, used = 0;
    for (int s = 0; s < 8; s++) {
      share[s] = (s * n & 7) + 1;
      used += share[s];
      if (share[s] > share[top])
        top = s;
    }
    share[top] += 64 - used;
  }
  STAY;
  out[lid] = share[lid & 7];
}
kernel void shared_out_by_two(global int *out, int n, local int *work) {
  local int share[8];
  int lid = get_local_id(0);
  share[lid & 7] = (lid & 7) + n;
  if (lid < 2)
    share[share[lid] & 7] += n;
  STAY;
  out[lid] = share[lid & 7];
}
