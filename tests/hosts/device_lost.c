/* device_lost MODULE: vadd writes to memory that is no allocation. Every way to wait must say that
 * the device is lost, and what comes after must fail, not hang. */
#include "host.h"

#include <unistd.h>

/* Until a while after the loss: what waits then has to hear of it as well. */
static void await_loss(const struct host* host) {
  while (zeDeviceGetStatus(host->device) == ZE_RESULT_SUCCESS) {
    usleep(1000);
  }
  usleep(50000);
}

int main(int argc, char** argv) {
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, only_argument(argc, argv, "MODULE"));
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  float* a = allocate_shared(&host, 64);
  float* gone = (float*)0x123456789000;
  const int n = 8;
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(a), &a));
  CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(gone), &gone));
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));

  ze_command_queue_handle_t queue = create_queue(&host);
  ze_command_list_handle_t list = create_list(&host);
  ze_event_pool_handle_t pool = create_event_pool(&host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t done = create_event(pool, 0);
  const ze_group_count_t groups = {1, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
  CHECK(zeCommandListClose(list));
  const ze_fence_desc_t description = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence = NULL;
  CHECK(zeFenceCreate(queue, &description, &fence));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  await_loss(&host);
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeFenceHostSynchronize(fence, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeFenceQueryStatus(fence));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST,
                zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST, zeDeviceGetStatus(host.device));
  CHECK(zeFenceDestroy(fence));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
  puts("device_lost: ok");
  return 0;
}
