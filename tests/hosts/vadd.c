/* vadd MODULE [wait]: adds two vectors, once through a regular list, a queue and a fence, once
 * through an immediate list and an event, and checks the sums. With "wait" it says "ready" when it
 * has a context, and goes on after a line of input: the moment for a debugger to attach. */
#include "host.h"

enum { ITEMS = 1000, GROUP = 64 };

static void wait_for_line(void) {
  for (int character = getchar(); character != '\n' && character != EOF;) {
    character = getchar();
  }
}

static void set_arguments(ze_kernel_handle_t kernel, float* a, float* b, float* c, int n) {
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(b), &b));
  CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(c), &c));
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));
}

/* The sums must be those of a[i] = i and b[i] = slope * i. */
static void verify(const float* c, float slope) {
  for (int i = 0; i < ITEMS; ++i) {
    const float expected = (float)i + slope * (float)i;
    if (c[i] != expected) {
      fprintf(stderr, "c[%d] = %g, expected %g\n", i, c[i], expected);
      exit(1);
    }
  }
}

static void fill(float* a, float* b, float slope) {
  for (int i = 0; i < ITEMS; ++i) {
    a[i] = (float)i;
    b[i] = slope * (float)i;
  }
}

/* Data in device memory, copied there and back by the list. */
static void run_regular(const struct host* host, ze_kernel_handle_t kernel) {
  const size_t size = ITEMS * sizeof(float);
  const ze_group_count_t groups = {(ITEMS + GROUP - 1) / GROUP, 1, 1};
  float* staging = allocate_host(host, 3 * size);
  float* a = allocate_device(host, size);
  float* b = allocate_device(host, size);
  float* c = allocate_device(host, size);
  fill(staging, staging + ITEMS, 3.0F);
  set_arguments(kernel, a, b, c, ITEMS);

  ze_command_queue_handle_t queue = create_queue(host);
  ze_command_list_handle_t list = create_list(host);
  CHECK(zeCommandListAppendMemoryCopy(list, a, staging, size, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, b, staging + ITEMS, size, NULL, 0, NULL));
  CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, staging + 2 * ITEMS, c, size, NULL, 0, NULL));
  CHECK(zeCommandListClose(list));

  const ze_fence_desc_t fence_description = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence = NULL;
  CHECK(zeFenceCreate(queue, &fence_description, &fence));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  CHECK(zeFenceHostSynchronize(fence, UINT64_MAX));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  verify(staging + 2 * ITEMS, 3.0F);

  CHECK(zeFenceDestroy(fence));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeMemFree(host->context, a));
  CHECK(zeMemFree(host->context, b));
  CHECK(zeMemFree(host->context, c));
  CHECK(zeMemFree(host->context, staging));
}

/* Data in shared memory, which both sides use as it is. */
static void run_immediate(const struct host* host, ze_kernel_handle_t kernel) {
  const size_t size = ITEMS * sizeof(float);
  const ze_group_count_t groups = {(ITEMS + GROUP - 1) / GROUP, 1, 1};
  float* a = allocate_shared(host, size);
  float* b = allocate_shared(host, size);
  float* c = allocate_shared(host, size);
  fill(a, b, -0.5F);
  set_arguments(kernel, a, b, c, ITEMS);

  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_pool_handle_t pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t done = create_event(pool, 0);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
  CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  verify(c, -0.5F);

  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeMemFree(host->context, a));
  CHECK(zeMemFree(host->context, b));
  CHECK(zeMemFree(host->context, c));
}

int main(int argc, char** argv) {
  const int wait = argc == 3 && strcmp(argv[2], "wait") == 0;
  if (argc != 2 && !wait) {
    fprintf(stderr, "usage: %s MODULE [wait]\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  if (wait) {
    puts("ready");
    fflush(stdout);
    wait_for_line();
  }
  ze_module_handle_t module = load_module(&host, argv[1]);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  CHECK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  run_regular(&host, kernel);
  run_immediate(&host, kernel);
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
  CHECK(zeContextDestroy(host.context));
  puts("vadd: ok");
  fflush(stdout);
  if (wait) {
    wait_for_line();
  }
  return 0;
}
