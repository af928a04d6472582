/* released MODULE: objects that are destroyed while others still use them, in every wrong order, and
 * memory that is freed twice, or is none. */
#include "host.h"

enum { ITEMS = 64 };

static void set_arguments(ze_kernel_handle_t kernel, float* a, float* sum) {
  const int n = ITEMS;
  CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(sum), &sum));
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));
}

int main(int argc, char** argv) {
  const char* const path = only_argument(argc, argv, "MODULE");
  const ze_group_count_t groups = {ITEMS / 8, 1, 1};
  const struct host host = open_device();
  struct host other = host;
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  CHECK(zeContextCreate(host.driver, &description, &other.context));
  float* a = allocate_shared(&other, ITEMS * sizeof(float));
  float* sum = allocate_shared(&other, ITEMS * sizeof(float));
  for (int i = 0; i < ITEMS; ++i) {
    a[i] = (float)i;
  }
  ze_module_handle_t module = load_module(&other, path);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  set_arguments(kernel, a, sum);
  ze_event_pool_handle_t pool = create_event_pool(&other, 2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t start = create_event(pool, 0);
  ze_event_handle_t done = create_event(pool, 1);
  ze_command_queue_handle_t queue = create_queue(&other);
  ze_command_list_handle_t list = create_list(&other);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 1, &start));
  CHECK(zeCommandListClose(list));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));

  /* While the launch waits, all of it goes, the context first, but for the events. */
  CHECK(zeContextDestroy(other.context));
  CHECK(zeModuleDestroy(module));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeEventHostSignal(start));
  CHECK(zeEventDestroy(start));
  CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK(zeEventDestroy(done));
  for (int i = 0; i < ITEMS; ++i) {
    EXPECT(sum[i] == 2 * a[i]);
  }

  /* A kernel goes on without the application's module, but no other can be made of it. */
  module = load_module(&host, path);
  kernel = create_kernel(module, "vadd");
  set_arguments(kernel, a, sum);
  CHECK(zeModuleDestroy(module));
  const ze_kernel_desc_t named = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "vadd"};
  ze_kernel_handle_t second = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeKernelCreate(module, &named, &second));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeModuleDestroy(module));
  ze_command_list_handle_t at_once =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendLaunchKernel(at_once, kernel, &groups, NULL, 0, NULL));
  CHECK(zeKernelDestroy(kernel));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
                zeCommandListAppendLaunchKernel(at_once, kernel, &groups, NULL, 0, NULL));

  /* A handle stays dead when others are made. */
  ze_event_pool_handle_t pools[256];
  for (int i = 0; i < 256; ++i) {
    pools[i] = create_event_pool(&host, 1, 0);
    EXPECT((void*)pools[i] != (void*)pool && (void*)pools[i] != (void*)kernel);
  }
  for (int i = 0; i < 256; ++i) {
    CHECK(zeEventPoolDestroy(pools[i]));
    EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeEventPoolDestroy(pools[i]));
  }

  /* Memory: freed twice, in the middle, never allocated; of a context that is gone. */
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeMemFree(other.context, a));
  float* own = allocate_shared(&host, 4096);
  int local = 0;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(host.context, own + 16));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(host.context, &local));
  CHECK(zeMemFree(host.context, own));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(host.context, own));
  CHECK(zeContextDestroy(host.context));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeContextDestroy(host.context));
  puts("released: ok");
  return 0;
}
