/* Runs until somebody writes to `stop`: only a debugger does. */
kernel void endless(global volatile int* stop, global int* turns) {
  int id = get_global_id(0);
  int count = 0;
  while (stop[0] == 0) {
    count = count + 1;
  }
  turns[id] = count;
}
