/* aliased_memory MODULE physical|ipc: vadd twice, first on memory that is mapped at two addresses: what it
 * writes at one of them it reads at the other. It is physical memory that is mapped twice, or memory that
 * the program opens by its own IPC handle. */
#include "host.h"

enum { ITEMS = 32 };

static size_t map_twice(const struct host* host, float* mapped[2]) {
  size_t page = 0;
  CHECK(zeVirtualMemQueryPageSize(host->context, host->device, ITEMS * sizeof(float), &page));
  ze_physical_mem_desc_t description = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = page};
  ze_physical_mem_handle_t memory = NULL;
  CHECK(zePhysicalMemCreate(host->context, host->device, &description, &memory));
  for (int i = 0; i < 2; ++i) {
    CHECK(zeVirtualMemReserve(host->context, (void*)0x10000, page, (void**)&mapped[i]));
    CHECK(zeVirtualMemMap(host->context, mapped[i], page, memory, 0,
                          ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  }
  return page;
}

static void open_own_handle(const struct host* host, float* mapped[2]) {
  const ze_device_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  CHECK(zeMemAllocDevice(host->context, &description, ITEMS * sizeof(float), 64, host->device,
                         (void**)&mapped[0]));
  ze_ipc_mem_handle_t handle;
  CHECK(zeMemGetIpcHandle(host->context, mapped[0], &handle));
  CHECK(zeMemOpenIpcHandle(host->context, host->device, handle, 0, (void**)&mapped[1]));
  EXPECT(mapped[0] != mapped[1]);
}

int main(int argc, char** argv) {
  const int by_handle = argc == 3 && strcmp(argv[2], "ipc") == 0;
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, only_argument(argc - 1, argv, "MODULE physical|ipc"));
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  float* mapped[2] = {NULL, NULL};
  size_t page = 0;
  if (by_handle) {
    open_own_handle(&host, mapped);
  } else {
    page = map_twice(&host, mapped);
  }
  float values[ITEMS];
  for (int i = 0; i < ITEMS; ++i) {
    values[i] = (float)i;
  }
  CHECK(zeCommandListAppendMemoryCopy(list, mapped[0], values, sizeof values, NULL, 0, NULL));
  const int items = ITEMS;
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(items), &items));
  CHECK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  const ze_group_count_t groups = {1, 1, 1};
  for (int launch = 0; launch < 2; ++launch) {
    float* const written = mapped[launch == 0 ? 1 : 0];
    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(float*), &mapped[0]));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(float*), &mapped[0]));
    CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(float*), &written));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListAppendMemoryCopy(list, values, mapped[0], sizeof values, NULL, 0, NULL));
    for (int i = 0; i < ITEMS; ++i) {
      EXPECT(values[i] == (launch == 0 ? 2.0F : 4.0F) * (float)i);
    }
    if (launch == 0 && by_handle) {
      CHECK(zeMemCloseIpcHandle(host.context, mapped[1]));
    } else if (launch == 0) {
      CHECK(zeVirtualMemUnmap(host.context, mapped[1], page));
    }
  }
  puts("aliased_memory: ok");
  return 0;
}
