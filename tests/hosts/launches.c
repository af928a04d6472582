/* launches MODULE: the other ways to launch vadd: indirect, cooperative, several at once, none at
 * all, with arguments that change while commands wait, and one closed list executed twice. */
#include "host.h"

enum { GROUP = 32, GROUPS = 4, ITEMS = GROUP * GROUPS };

struct vectors {
  float* a;
  float* b;
  float* c;
};

static void set_arguments(ze_kernel_handle_t kernel, const struct vectors* vectors, int n) {
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(float*), &vectors->a));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(float*), &vectors->b));
  CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(float*), &vectors->c));
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));
}

static void clear(const struct vectors* vectors) { memset(vectors->c, 0, ITEMS * sizeof(float)); }

/* The first `items` sums are there, and nothing after them. */
static int summed(const struct vectors* vectors, int items) {
  for (int i = 0; i < ITEMS; ++i) {
    if (vectors->c[i] != (i < items ? vectors->a[i] + vectors->b[i] : 0.0F)) {
      return 0;
    }
  }
  return 1;
}

static void indirect(const struct host* host, ze_command_list_handle_t list,
                     ze_kernel_handle_t kernel, const struct vectors* vectors) {
  ze_group_count_t* counts = allocate_shared(host, 2 * sizeof(*counts));
  uint32_t* number = allocate_shared(host, sizeof(*number));
  clear(vectors);
  counts[0] = (ze_group_count_t){2, 1, 1};
  CHECK(zeCommandListAppendLaunchKernelIndirect(list, kernel, counts, NULL, 0, NULL));
  EXPECT(summed(vectors, 2 * GROUP));

  clear(vectors);
  counts[0] = (ze_group_count_t){1, 1, 1};
  counts[1] = (ze_group_count_t){3, 1, 1};
  ze_kernel_handle_t kernels[2] = {kernel, kernel};
  *number = 1; /* of two */
  CHECK(zeCommandListAppendLaunchMultipleKernelsIndirect(list, 2, kernels, number, counts, NULL, 0,
                                                         NULL));
  EXPECT(summed(vectors, GROUP));
  *number = 2;
  CHECK(zeCommandListAppendLaunchMultipleKernelsIndirect(list, 2, kernels, number, counts, NULL, 0,
                                                         NULL));
  EXPECT(summed(vectors, 3 * GROUP));
  CHECK(zeMemFree(host->context, counts));
  CHECK(zeMemFree(host->context, number));
}

static void cooperative(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                        const struct vectors* vectors) {
  const ze_group_count_t groups = {GROUPS, 1, 1};
  clear(vectors);
  CHECK(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, NULL, 0, NULL));
  EXPECT(summed(vectors, ITEMS));
  const ze_group_count_t too_many = {1 << 20, 1, 1};
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeCommandListAppendLaunchCooperativeKernel(list, kernel, &too_many, NULL, 0, NULL));
}

static void nothing(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                    const struct vectors* vectors) {
  const ze_group_count_t groups = {0, 1, 1};
  clear(vectors);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  EXPECT(summed(vectors, 0));
}

/* A command keeps the values that its kernel had when it was appended. */
static void values_are_kept(const struct host* host, ze_kernel_handle_t kernel,
                            const struct vectors* vectors) {
  ze_command_queue_handle_t queue = create_queue(host);
  ze_command_list_handle_t list = create_list(host);
  const ze_group_count_t groups = {GROUPS, 1, 1};
  set_arguments(kernel, vectors, 40);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  CHECK(zeCommandListClose(list));
  set_arguments(kernel, vectors, ITEMS);
  for (int round = 0; round < 2; ++round) {
    clear(vectors);
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    EXPECT(summed(vectors, 40));
  }
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
}

/* Objects may go once they are in a command that is under way. */
static void kernel_may_go_early(const struct host* host, ze_module_handle_t module,
                                const struct vectors* vectors) {
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_pool_handle_t pool = create_event_pool(host, 2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t go = create_event(pool, 0);
  ze_event_handle_t done = create_event(pool, 1);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  CHECK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  set_arguments(kernel, vectors, ITEMS);
  const ze_group_count_t groups = {GROUPS, 1, 1};
  clear(vectors);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 1, &go));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeEventHostSignal(go));
  CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  EXPECT(summed(vectors, ITEMS));
  CHECK(zeEventDestroy(go));
  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeCommandListDestroy(list));
}

int main(int argc, char** argv) {
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, only_argument(argc, argv, "MODULE"));
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  const struct vectors vectors = {allocate_shared(&host, ITEMS * sizeof(float)),
                                  allocate_shared(&host, ITEMS * sizeof(float)),
                                  allocate_shared(&host, ITEMS * sizeof(float))};
  for (int i = 0; i < ITEMS; ++i) {
    vectors.a[i] = (float)(i + 1);
    vectors.b[i] = 0.5F * (float)i;
  }
  CHECK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  set_arguments(kernel, &vectors, ITEMS);
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  indirect(&host, list, kernel, &vectors);
  cooperative(list, kernel, &vectors);
  nothing(list, kernel, &vectors);
  values_are_kept(&host, kernel, &vectors);
  CHECK(zeCommandListDestroy(list));
  kernel_may_go_early(&host, module, &vectors);
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
  CHECK(zeMemFree(host.context, vectors.a));
  CHECK(zeMemFree(host.context, vectors.b));
  CHECK(zeMemFree(host.context, vectors.c));
  CHECK(zeContextDestroy(host.context));
  puts("launches: ok");
  return 0;
}
