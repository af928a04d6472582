/* debug_target: a program to be debugged. Does one step for each line of standard input, and answers
 * each with one line, so that a test decides what happens before, during and after an attach.
 *
 *   device ROOT | tile ROOT NUMBER    chooses the device that the next steps are for
 *   other                      the next steps are for a second set of everything below, or the first again
 *   queue | unqueue            a command queue is created, destroyed
 *   module PATH | unload       a zebin
 *   record                     a closed command list holds a launch of vadd, which is never executed
 *   vadd GROUPS                starts c = a + b with 64 items a group
 *   run KERNEL GROUPS ARG...   starts it with 64 items a group; each ARG is a letter and a number:
 *                              b: a buffer of so many zero bytes, f: the same of bytes 0x7f,
 *                              i: an int, s: so many bytes of shared local memory
 *   free ARGUMENT              frees that buffer of what was started, under the running kernel
 *   reduce GROUPS              starts sums of 64 ones in shared local memory
 *   mandel ITERATIONS          starts 64 items that loop that often
 *   poll                       "running" or "done"
 *   wait                       waits for what was started, and checks what it computed
 *   copy ADDRESS               starts a copy of 64 bytes from there by the copy engine
 *   lost                       waits for what was started, which must lose the device
 *   fork                       leaves a child running that sleeps for a minute
 *   exec                       becomes a program that sleeps for a minute
 *   close                      closes every descriptor but the standard ones, and opens files instead
 *   exhaust                    opens files until it may not open more
 *   chroot PATH | user ID      goes to another root directory; becomes another user
 *   exit                       without clearing up
 * It ends in an orderly way at the end of its input. */
#define _GNU_SOURCE
#include "host.h"

#include <fcntl.h>
#include <unistd.h>

enum { GROUP = 64, MAX_ARGUMENTS = 8 };

struct target {
  struct host host;
  ze_command_queue_handle_t queue;
  ze_command_list_handle_t list;
  ze_event_handle_t done;
  ze_module_handle_t module;
  ze_kernel_handle_t kernel;
  float* buffers[MAX_ARGUMENTS]; /* by argument; NULL where it is none */
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

static void set_up_vadd(struct target* target, int groups) {
  prepare(target, "vadd", groups * GROUP);
  for (int i = 0; i < target->items; ++i) {
    target->buffers[0][i] = (float)i;
    target->buffers[1][i] = 2.0F * (float)i;
  }
  for (uint32_t i = 0; i < 3; ++i) {
    set(target->kernel, i, sizeof(float*), &target->buffers[i]);
  }
  set(target->kernel, 3, sizeof(int), &target->items);
}

static void vadd(struct target* target, int groups) {
  set_up_vadd(target, groups);
  start(target, "vadd", (uint32_t)groups);
}

static void record(struct target* target) {
  const ze_command_list_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  const ze_group_count_t count = {1, 1, 1};
  ze_command_list_handle_t list = NULL;
  CHECK(zeCommandListCreate(target->host.context, target->host.device, &description, &list));
  set_up_vadd(target, 1);
  CHECK(zeCommandListAppendLaunchKernel(list, target->kernel, &count, NULL, 0, NULL));
  CHECK(zeCommandListClose(list));
  CHECK(zeKernelDestroy(target->kernel));
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

/* `words`: the kernel's name, groups and arguments, separated by spaces. */
static void run(struct target* target, char* words) {
  const char* name = strtok(words, " ");
  const uint32_t groups = (uint32_t)atoi(strtok(NULL, " "));
  target->kernel = create_kernel(target->module, name);
  CHECK(zeKernelSetGroupSize(target->kernel, GROUP, 1, 1));
  uint32_t index = 0;
  for (const char* word = strtok(NULL, " "); word != NULL; word = strtok(NULL, " "), ++index) {
    EXPECT(index < MAX_ARGUMENTS);
    const int number = atoi(word + 1);
    if (*word == 'i') {
      set(target->kernel, index, sizeof number, &number);
    } else if (*word == 's') {
      set(target->kernel, index, (size_t)number, NULL);
    } else {
      target->buffers[index] = allocate_shared(&target->host, (size_t)number);
      memset(target->buffers[index], *word == 'f' ? 0x7f : 0, (size_t)number);
      set(target->kernel, index, sizeof(float*), &target->buffers[index]);
    }
  }
  start(target, "run", groups);
}

static void free_buffer(struct target* target, int index) {
  CHECK(zeMemFree(target->host.context, target->buffers[index]));
  target->buffers[index] = NULL;
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
  for (int i = 0; i < MAX_ARGUMENTS; ++i) {
    if (target->buffers[i] != NULL) {
      free_buffer(target, i);
    }
  }
}

static void copy(struct target* target, const char* address) {
  const void* source = (const void*)(uintptr_t)strtoull(address, NULL, 0);
  target->buffers[0] = allocate_shared(&target->host, 64);
  CHECK(zeEventHostReset(target->done));
  CHECK(zeCommandListAppendMemoryCopy(target->list, target->buffers[0], source, 64, target->done,
                                      0, NULL));
}

/* Before anything is made with the device; `tile` is negative for the root device itself. */
static void choose(struct target* target, unsigned root, int tile) {
  uint32_t count = 8;
  ze_device_handle_t devices[8];
  CHECK(zeDeviceGet(target->host.driver, &count, devices));
  EXPECT(root < count);
  target->host.device = devices[root];
  if (tile >= 0) {
    count = 8;
    CHECK(zeDeviceGetSubDevices(target->host.device, &count, devices));
    EXPECT((uint32_t)tile < count);
    target->host.device = devices[tile];
  }
  if (target->list != NULL) {
    CHECK(zeCommandListDestroy(target->list));
    target->list = NULL;
  }
}

/* Opens files until `limit` of them are open, or no more may be. */
static void open_files(int limit) {
  int files = 0;
  while (files < limit && open("/dev/null", O_RDWR) >= 0) {
    ++files;
  }
}

/* Steps that change the process and not the device. */
static int change_process(const char* verb, const char* argument) {
  if (strcmp(verb, "fork") == 0) {
    if (fork() == 0) {
      sleep(60);
      _exit(0);
    }
  } else if (strcmp(verb, "exec") == 0) {
    say("ok");
    execlp("sleep", "sleep", "60", (char*)NULL);
    exit(3);
  } else if (strcmp(verb, "close") == 0) {
    EXPECT(close_range(3, ~0U, 0) == 0);
    open_files(16);
  } else if (strcmp(verb, "exhaust") == 0) {
    open_files(1 << 20);
  } else if (strcmp(verb, "chroot") == 0) {
    EXPECT(chroot(argument) == 0 && chdir("/") == 0);
  } else if (strcmp(verb, "user") == 0) {
    EXPECT(setuid((uid_t)atoi(argument)) == 0);
  } else {
    return 0;
  }
  return 1;
}

static void step(struct target* target, const char* verb, char* argument) {
  if (strcmp(verb, "device") == 0) {
    choose(target, (unsigned)atoi(argument), -1);
  } else if (strcmp(verb, "tile") == 0) {
    choose(target, (unsigned)atoi(argument), atoi(strchr(argument, ' ') + 1));
  } else if (strcmp(verb, "queue") == 0) {
    target->queue = create_queue(&target->host);
  } else if (strcmp(verb, "unqueue") == 0) {
    CHECK(zeCommandQueueDestroy(target->queue));
  } else if (strcmp(verb, "module") == 0) {
    target->module = load_module(&target->host, argument);
  } else if (strcmp(verb, "unload") == 0) {
    CHECK(zeModuleDestroy(target->module));
  } else if (strcmp(verb, "record") == 0) {
    record(target);
  } else if (strcmp(verb, "vadd") == 0) {
    vadd(target, atoi(argument));
  } else if (strcmp(verb, "run") == 0) {
    run(target, argument);
  } else if (strcmp(verb, "free") == 0) {
    free_buffer(target, atoi(argument));
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
  } else if (strcmp(verb, "copy") == 0) {
    copy(target, argument);
  } else if (strcmp(verb, "lost") == 0) {
    EXPECT(zeEventHostSynchronize(target->done, UINT64_MAX) == ZE_RESULT_ERROR_DEVICE_LOST);
  } else if (strcmp(verb, "exit") == 0) {
    exit(0);
  } else if (!change_process(verb, argument)) {
    fprintf(stderr, "debug_target: no such step: %s\n", verb);
    exit(2);
  }
  say("ok");
}

int main(void) {
  enum { TARGETS = 2 };
  struct target targets[TARGETS] = {{.host = open_device()}};
  ze_event_pool_handle_t pool =
      create_event_pool(&targets[0].host, TARGETS, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  for (uint32_t i = 0; i < TARGETS; ++i) {
    targets[i].host = targets[0].host;
    targets[i].done = create_event(pool, i);
  }
  struct target* target = targets;
  say("ready");

  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char verb[32] = "";
    char argument[4000] = "";
    sscanf(line, "%31s %3999[^\n]", verb, argument);
    if (strcmp(verb, "other") == 0) {
      target = target == targets ? &targets[1] : &targets[0];
      say("ok");
      continue;
    }
    const int launches = strcmp(verb, "vadd") == 0 || strcmp(verb, "reduce") == 0 ||
                         strcmp(verb, "mandel") == 0 || strcmp(verb, "copy") == 0 ||
                         strcmp(verb, "run") == 0;
    if (launches && target->list == NULL) { /* the list has a queue of its own */
      target->list = create_immediate_list(&target->host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    }
    step(target, verb, argument);
  }
  for (uint32_t i = 0; i < TARGETS; ++i) {
    if (targets[i].list != NULL) {
      CHECK(zeCommandListDestroy(targets[i].list));
    }
    CHECK(zeEventDestroy(targets[i].done));
  }
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeContextDestroy(targets[0].host.context));
  return 0;
}
