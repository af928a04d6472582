/* refused BROKEN MODULE: vadd of BROKEN begins with an instruction that no device has. Its launch fails,
 * with whatever depends on it; each wait says so once; then everything goes on. */
#include "host.h"

enum { ITEMS = 64 };
static const ze_group_count_t groups = {ITEMS / 8, 1, 1};

static float* sum;

static ze_kernel_handle_t prepare(const struct host* host, const char* path, float* a) {
  ze_kernel_handle_t kernel = create_kernel(load_module(host, path), "vadd");
  const int n = ITEMS;
  CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(sum), &sum));
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));
  return kernel;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s BROKEN MODULE\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  float* a = allocate_shared(&host, ITEMS * sizeof(float));
  float* copy = allocate_shared(&host, ITEMS * sizeof(float));
  sum = allocate_shared(&host, ITEMS * sizeof(float));
  for (int i = 0; i < ITEMS; ++i) {
    a[i] = (float)i;
    copy[i] = -1;
  }
  ze_kernel_handle_t broken = prepare(&host, argv[1], a);
  ze_kernel_handle_t good = prepare(&host, argv[2], a);
  ze_event_pool_handle_t pool = create_event_pool(&host, 4, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t start = create_event(pool, 0);
  ze_event_handle_t failed = create_event(pool, 1);
  ze_event_handle_t copied = create_event(pool, 2);
  ze_event_handle_t elsewhere = create_event(pool, 3);

  /* Queue, fence, and lists in front of which the failing launch waits for the host. */
  ze_command_queue_handle_t queue = create_queue(&host);
  ze_command_list_handle_t list = create_list(&host);
  ze_command_list_handle_t other = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  CHECK(zeCommandListAppendLaunchKernel(list, broken, &groups, failed, 1, &start));
  CHECK(zeCommandListAppendMemoryCopy(list, copy, a, sizeof(float), copied, 0, NULL));
  CHECK(zeCommandListClose(list));
  const ze_fence_desc_t description = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence = NULL;
  CHECK(zeFenceCreate(queue, &description, &fence));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  CHECK(zeCommandListAppendMemoryCopy(other, copy + 1, a, sizeof(float), elsewhere, 1, &failed));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(failed));
  CHECK(zeEventHostSignal(start));

  /* A query does not count as learning of it. */
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(elsewhere, UINT64_MAX));
  for (int i = 0; i < 2; ++i) {
    EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventQueryStatus(failed));
    EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeFenceQueryStatus(fence));
  }
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeFenceHostSynchronize(fence, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(failed, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(copied, UINT64_MAX));
  EXPECT(copy[0] == -1 && copy[1] == -1); /* nothing of what came after was done */
  CHECK(zeDeviceGetStatus(host.device));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK(zeFenceHostSynchronize(fence, UINT64_MAX));
  CHECK(zeEventHostSynchronize(failed, UINT64_MAX));
  CHECK(zeEventQueryStatus(copied));

  /* The same queue and lists go on, also with an event that had failed. */
  ze_command_list_handle_t next = create_list(&host);
  CHECK(zeCommandListAppendLaunchKernel(next, good, &groups, NULL, 1, &failed));
  CHECK(zeCommandListClose(next));
  CHECK(zeFenceReset(fence));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &next, fence));
  CHECK(zeFenceHostSynchronize(fence, UINT64_MAX));
  for (int i = 0; i < ITEMS; ++i) {
    EXPECT(sum[i] == 2 * a[i]);
  }

  /* What is submitted after a failure of which no host thread knows fails, too. */
  ze_command_list_handle_t at_once = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeEventHostReset(failed));
  CHECK(zeCommandListAppendLaunchKernel(other, broken, &groups, failed, 0, NULL));
  while (zeEventQueryStatus(failed) == ZE_RESULT_NOT_READY) {
  }
  CHECK(zeEventHostReset(copied));
  CHECK(zeCommandListAppendMemoryCopy(other, copy, a, sizeof(float), copied, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(copied, UINT64_MAX));
  EXPECT(copy[0] == -1);
  CHECK(zeEventHostReset(copied));
  CHECK(zeCommandListAppendMemoryCopy(other, copy, a, sizeof(float), copied, 1, &failed));
  CHECK(zeEventHostSynchronize(copied, UINT64_MAX));
  EXPECT(copy[0] == 0);

  /* A synchronous list answers at once, each time. */
  for (int i = 0; i < 2; ++i) {
    EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST,
                  zeCommandListAppendLaunchKernel(at_once, broken, &groups, NULL, 0, NULL));
    CHECK(zeCommandListAppendLaunchKernel(at_once, good, &groups, NULL, 0, NULL));
  }
  puts("refused: ok");
  return 0;
}
