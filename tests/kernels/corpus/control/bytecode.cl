// An interpreter: every work-item runs its own program for a stack machine.
enum { PUSH, ADD, MULTIPLY, SUBTRACT, DUPLICATE, SWAP, JUMP_IF_POSITIVE, STORE, LOAD, HALT };
kernel void bytecode(global const char2 *code, global const int *starts, global int *out) {
  size_t i = get_global_id(0);
  int stack[16], variables[4] = {0, 0, 0, (int)i}, top = 0, steps = 0;
  int at = starts[i];
  for (bool running = true; running && steps < 400; ++steps) {
    char2 op = code[at++];
    switch (op.x) {
      case PUSH: stack[top++] = op.y; break;
      case ADD: --top; stack[top - 1] += stack[top]; break;
      case MULTIPLY: --top; stack[top - 1] = (int)((uint)stack[top - 1] * (uint)stack[top]); break;
      case SUBTRACT: --top; stack[top - 1] -= stack[top]; break;
      case DUPLICATE: stack[top] = stack[top - 1]; ++top; break;
      case SWAP: { int t = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = t; } break;
      case JUMP_IF_POSITIVE: if (stack[--top] > 0) at += op.y; break;
      case STORE: variables[op.y & 3] = stack[--top]; break;
      case LOAD: stack[top++] = variables[op.y & 3]; break;
      default: running = false;
    }
  }
  out[i] = variables[0] + steps * 1000000;
}
