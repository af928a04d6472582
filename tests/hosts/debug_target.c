/* debug_target: a program to be debugged. Does one step for each line of standard input, and answers
 * each with one line, so that a test decides what happens before, during and after an attach.
 *
 *   queue | unqueue            a command queue is created, destroyed
 *   module PATH | unload       a zebin
 *   vadd GROUPS                starts c = a + b with 64 items a group
 *   reduce GROUPS              starts sums of 64 ones in shared local memory
 *   mandel ITERATIONS          starts 64 items that loop that often
 *   poll                       "running" or "done"
 *   wait                       waits for what was started, and checks what it computed
 *   fork                       leaves a child behind that sleeps for a minute
 *   exit                       without clearing up
 * It ends in an orderly way at the end of its input. */
#include "host.h"

#include <unistd.h>

enum { GROUP = 64 };

struct target {
  struct host host;
  ze_command_queue_handle_t queue;
  ze_command_list_handle_t list;
  ze_event_handle_t done;
  ze_module_handle_t module;
  ze_kernel_handle_t kernel;
  float* buffers[3];
  int items;
  char running[16];
};

static void say(const char* line) {
  puts(line);
  fflush(stdout);
}

static void set(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void* value) {
  CHECK(zeKernelSetArgumentValue(kernel, index, size, value));
}

static void start(struct target* target, const char* name, uint32_t groups) {
  const ze_group_count_t count = {groups, 1, 1};
  snprintf(target->running, sizeof target->running, "%s", name);
  CHECK(zeEventHostReset(target->done));
  CHECK(zeCommandListAppendLaunchKernel(target->list, target->kernel, &count, target->done, 0,
                                        NULL));
}

static void prepare(struct target* target, const char* kernel, int items) {
  target->items = items;
  target->kernel = create_kernel(target->module, kernel);
  CHECK(zeKernelSetGroupSize(target->kernel, GROUP, 1, 1));
  for (int i = 0; i < 3; ++i) {
    target->buffers[i] = allocate_shared(&target->host, (size_t)items * sizeof(float));
  }
}

static void vadd(struct target* target, int groups) {
  prepare(target, "vadd", groups * GROUP);
  for (int i = 0; i < target->items; ++i) {
    target->buffers[0][i] = (float)i;
    target->buffers[1][i] = 2.0F * (float)i;
  }
  for (uint32_t i = 0; i < 3; ++i) {
    set(target->kernel, i, sizeof(float*), &target->buffers[i]);
  }
  set(target->kernel, 3, sizeof(int), &target->items);
  start(target, "vadd", (uint32_t)groups);
}

static void reduce(struct target* target, int groups) {
  prepare(target, "reduce_slm", groups * GROUP);
  for (int i = 0; i < target->items; ++i) {
    target->buffers[0][i] = 1.0F;
  }
  set(target->kernel, 0, sizeof(float*), &target->buffers[0]);
  set(target->kernel, 1, sizeof(float*), &target->buffers[1]);
  set(target->kernel, 2, GROUP * sizeof(float), NULL);
  set(target->kernel, 3, sizeof(int), &target->items);
  start(target, "reduce", (uint32_t)groups);
}

static void mandel(struct target* target, int iterations) {
  prepare(target, "mandel", GROUP);
  const int width = GROUP;
  const int height = 1;
  const float zero = 0.0F; /* a point that never leaves */
  set(target->kernel, 0, sizeof(float*), &target->buffers[0]);
  set(target->kernel, 1, sizeof width, &width);
  set(target->kernel, 2, sizeof height, &height);
  set(target->kernel, 3, sizeof zero, &zero);
  set(target->kernel, 4, sizeof zero, &zero);
  set(target->kernel, 5, sizeof zero, &zero);
  set(target->kernel, 6, sizeof iterations, &iterations);
  start(target, "mandel", 1);
}

static void verify(const struct target* target) {
  for (int i = 0; strcmp(target->running, "vadd") == 0 && i < target->items; ++i) {
    EXPECT(target->buffers[2][i] == 3.0F * (float)i);
  }
  for (int i = 0; strcmp(target->running, "reduce") == 0 && i < target->items / GROUP; ++i) {
    EXPECT(target->buffers[1][i] == (float)GROUP);
  }
}

static void finish(struct target* target) {
  CHECK(zeEventHostSynchronize(target->done, UINT64_MAX));
  verify(target);
  CHECK(zeKernelDestroy(target->kernel));
  for (int i = 0; i < 3; ++i) {
    CHECK(zeMemFree(target->host.context, target->buffers[i]));
  }
}

static void step(struct target* target, const char* verb, const char* argument) {
  if (strcmp(verb, "queue") == 0) {
    target->queue = create_queue(&target->host);
  } else if (strcmp(verb, "unqueue") == 0) {
    CHECK(zeCommandQueueDestroy(target->queue));
  } else if (strcmp(verb, "module") == 0) {
    target->module = load_module(&target->host, argument);
  } else if (strcmp(verb, "unload") == 0) {
    CHECK(zeModuleDestroy(target->module));
  } else if (strcmp(verb, "vadd") == 0) {
    vadd(target, atoi(argument));
  } else if (strcmp(verb, "reduce") == 0) {
    reduce(target, atoi(argument));
  } else if (strcmp(verb, "mandel") == 0) {
    mandel(target, atoi(argument));
  } else if (strcmp(verb, "poll") == 0) {
    const ze_result_t status = zeEventQueryStatus(target->done);
    say(status == ZE_RESULT_SUCCESS ? "done" : "running");
    return;
  } else if (strcmp(verb, "wait") == 0) {
    finish(target);
  } else if (strcmp(verb, "fork") == 0) {
    if (fork() == 0) {
      sleep(60);
      _exit(0);
    }
  } else if (strcmp(verb, "exit") == 0) {
    exit(0);
  } else {
    fprintf(stderr, "debug_target: no such step: %s\n", verb);
    exit(2);
  }
  say("ok");
}

int main(void) {
  struct target target = {.host = open_device()};
  ze_event_pool_handle_t pool =
      create_event_pool(&target.host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  target.done = create_event(pool, 0);
  say("ready");

  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char verb[32] = "";
    char argument[4000] = "";
    sscanf(line, "%31s %3999s", verb, argument);
    const int launches = strcmp(verb, "vadd") == 0 || strcmp(verb, "reduce") == 0 ||
                         strcmp(verb, "mandel") == 0;
    if (launches && target.list == NULL) { /* the list has a queue of its own */
      target.list = create_immediate_list(&target.host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    }
    step(&target, verb, argument);
  }
  if (target.list != NULL) {
    CHECK(zeCommandListDestroy(target.list));
  }
  CHECK(zeEventDestroy(target.done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeContextDestroy(target.host.context));
  return 0;
}
