/* debug_threads MODULE COUNT: a program to be debugged whose host threads do the same all at once:
 * each loads the module, makes a queue and an immediate list, runs vadd on one work-group twice, and
 * destroys what it made. A queue of the first thread is there all the time. Says "ready", begins
 * with a line of input, and says "ok" when all is done and as it should be. */
#include "host.h"

#include <pthread.h>

enum { ITEMS = 64, MAX_THREADS = 16, LAUNCHES = 2 };

struct work {
  struct host host;
  const char* module;
  pthread_t thread;
};

static void launch(const struct work* work, ze_kernel_handle_t kernel,
                   ze_command_list_handle_t list) {
  float* buffers[3];
  for (uint32_t i = 0; i < 3; ++i) {
    buffers[i] = allocate_shared(&work->host, ITEMS * sizeof(float));
    for (int item = 0; item < ITEMS; ++item) {
      buffers[i][item] = (float)item;
    }
    CHECK(zeKernelSetArgumentValue(kernel, i, sizeof(float*), &buffers[i]));
  }
  const int items = ITEMS;
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof items, &items));
  const ze_group_count_t groups = {1, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL)); /* synchronous */
  for (int item = 0; item < ITEMS; ++item) {
    EXPECT(buffers[2][item] == 2.0F * (float)item);
  }
  for (int i = 0; i < 3; ++i) {
    CHECK(zeMemFree(work->host.context, buffers[i]));
  }
}

static void* run(void* argument) {
  const struct work* work = argument;
  ze_module_handle_t module = load_module(&work->host, work->module);
  ze_command_queue_handle_t queue = create_queue(&work->host);
  ze_command_list_handle_t list =
      create_immediate_list(&work->host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  CHECK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  for (int i = 0; i < LAUNCHES; ++i) {
    launch(work, kernel, list);
  }
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeModuleDestroy(module));
  return NULL;
}

int main(int count, char** arguments) {
  EXPECT(count == 3);
  const int threads = atoi(arguments[2]);
  EXPECT(threads > 0 && threads <= MAX_THREADS);
  const struct host host = open_device();
  puts("ready");
  fflush(stdout);
  EXPECT(getchar() == '\n');
  ze_command_queue_handle_t queue = create_queue(&host);
  struct work works[MAX_THREADS];
  for (int i = 0; i < threads; ++i) {
    works[i] = (struct work){.host = host, .module = arguments[1]};
    EXPECT(pthread_create(&works[i].thread, NULL, run, &works[i]) == 0);
  }
  for (int i = 0; i < threads; ++i) {
    EXPECT(pthread_join(works[i].thread, NULL) == 0);
  }
  CHECK(zeCommandQueueDestroy(queue));
  puts("ok");
  fflush(stdout);
  CHECK(zeContextDestroy(host.context));
  return 0;
}
