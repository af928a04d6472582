/* lenient MODULE: what programs do that Intel's driver takes, though it is at the edge of the
 * specification: arguments of fewer bytes, odd alignments, commands after the end of a list, regions
 * without texels, dimensions that an image does not have; and that queues have priorities. */
#include "host.h"

enum { GROUP = 32, ITEMS = 64 };

static void few_bytes(const struct host* host, ze_module_handle_t module) {
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  float* vectors[3];
  for (uint32_t i = 0; i < 3; ++i) {
    vectors[i] = allocate_shared(host, ITEMS * sizeof(float));
    for (int item = 0; item < ITEMS; ++item) {
      vectors[i][item] = 1.0F;
    }
    CHECK(zeKernelSetArgumentValue(kernel, i, sizeof(float*), &vectors[i]));
  }
  const int all = 0x01010101;
  const uint8_t low[2] = {ITEMS, 0};
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(all), &all));
  CHECK(zeKernelSetArgumentValue(kernel, 3, 2, low)); /* the upper half stays: 0x0101.... */
  CHECK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  for (int item = 0; item < ITEMS; ++item) {
    EXPECT(vectors[2][item] == 2.0F);
    vectors[2][item] = 0.0F;
  }
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(all), NULL)); /* zeros: no items */
  CHECK(zeKernelSetArgumentValue(kernel, 3, 1, low));            /* 64, of a whole int */
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  for (int item = 0; item < ITEMS; ++item) {
    EXPECT(vectors[2][item] == 2.0F);
  }
  uint32_t size = 0;
  CHECK(zeKernelGetSourceAttributes(kernel, &size, NULL));
  char text[128] = "";
  char* target = text;
  EXPECT(size <= sizeof(text));
  CHECK(zeKernelGetSourceAttributes(kernel, &size, &target));
  EXPECT(strcmp(text, "intel_reqd_workgroup_walk_order(0,1,2)") == 0);
  CHECK(zeCommandListDestroy(list));
  CHECK(zeKernelDestroy(kernel));
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(zeMemFree(host->context, vectors[i]));
  }
}

static void alignments(const struct host* host) {
  const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  for (size_t alignment = 3; alignment < 20000; alignment = alignment * 2 + 1) {
    void* pointer = NULL;
    CHECK(zeMemAllocHost(host->context, &description, 100, alignment, &pointer));
    CHECK(zeMemFree(host->context, pointer));
  }
  void* pointer = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
                zeMemAllocHost(host->context, &description, 100, (size_t)1 << 40, &pointer));
}

static void closed_list(const struct host* host) {
  ze_command_queue_handle_t queue = create_queue(host);
  ze_command_list_handle_t list = create_list(host);
  uint8_t* memory = allocate_shared(host, 16);
  CHECK(zeCommandListAppendMemoryFill(list, memory, "a", 1, 16, NULL, 0, NULL));
  CHECK(zeCommandListClose(list));
  CHECK(zeCommandListAppendMemoryFill(list, memory, "b", 1, 16, NULL, 0, NULL));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT(memory[0] == 'a' && memory[15] == 'a');
  CHECK(zeMemFree(host->context, memory));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
}

static void image_regions(const struct host* host) {
  enum { WIDTH = 8, HEIGHT = 4 };
  const ze_image_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT, ZE_IMAGE_FORMAT_SWIZZLE_R,
                 ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_1},
      .width = WIDTH,
      .height = HEIGHT,
      .depth = 1};
  ze_image_handle_t image = NULL;
  CHECK(zeImageCreate(host->context, host->device, &description, &image));
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  uint8_t texels[WIDTH * HEIGHT];
  uint8_t back[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    texels[i] = (uint8_t)(i + 1);
  }
  CHECK(zeCommandListAppendImageCopyFromMemory(list, image, texels, NULL, NULL, 0, NULL));
  /* No texels: nothing is copied, and the event counts. */
  ze_event_pool_handle_t pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t done = create_event(pool, 0);
  const ze_image_region_t empty = {0, 0, 0, 0, HEIGHT, 1};
  memset(back, 0, sizeof(back));
  CHECK(zeCommandListAppendImageCopyToMemory(list, back, image, &empty, done, 0, NULL));
  CHECK(zeEventQueryStatus(done));
  EXPECT(back[0] == 0);
  /* A plane has no third dimension: its origin there is not looked at. */
  const ze_image_region_t beside = {2, 1, 1, 3, 1, 1};
  CHECK(zeCommandListAppendImageCopyToMemory(list, back, image, &beside, NULL, 0, NULL));
  EXPECT(memcmp(back, texels + WIDTH + 2, 3) == 0 && back[3] == 0);
  /* Rows that overlap: each is copied after the one before it. */
  memset(back, 0, sizeof(back));
  CHECK(zeCommandListAppendImageCopyToMemoryExt(list, back, image, NULL, 2, 0, NULL, 0, NULL));
  for (int y = 0; y < HEIGHT; ++y) {
    EXPECT(back[2 * y] == texels[y * WIDTH]);
  }
  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeImageDestroy(image));
}

/* Of commands that are ready at once, those of the queue of the highest priority come first. */
static void priorities(const struct host* host) {
  const ze_command_queue_priority_t order[] = {ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
                                               ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
                                               ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH};
  ze_event_pool_handle_t pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t go = create_event(pool, 0);
  ze_command_list_handle_t lists[3];
  uint64_t* times = allocate_shared(host, 3 * sizeof(*times));
  for (int i = 0; i < 3; ++i) {
    const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                                 .priority = order[i]};
    CHECK(zeCommandListCreateImmediate(host->context, host->device, &description, &lists[i]));
    CHECK(zeCommandListAppendWriteGlobalTimestamp(lists[i], &times[i], NULL, 1, &go));
    /* So long that the timestamps differ. */
    CHECK(zeCommandListAppendMemoryFill(lists[i], allocate_device(host, 1 << 20), "x", 1, 1 << 20,
                                        NULL, 0, NULL));
  }
  CHECK(zeEventHostSignal(go));
  for (int i = 0; i < 3; ++i) {
    ze_event_handle_t done = NULL;
    ze_event_pool_handle_t own = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    done = create_event(own, 0);
    CHECK(zeCommandListAppendSignalEvent(lists[i], done));
    CHECK(zeEventHostSynchronize(done, UINT64_MAX));
    CHECK(zeEventDestroy(done));
    CHECK(zeEventPoolDestroy(own));
    CHECK(zeCommandListDestroy(lists[i]));
  }
  EXPECT(times[2] < times[1] && times[1] < times[0]);
  CHECK(zeMemFree(host->context, times));
  CHECK(zeEventDestroy(go));
  CHECK(zeEventPoolDestroy(pool));
}

int main(int argc, char** argv) {
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, only_argument(argc, argv, "MODULE"));
  few_bytes(&host, module);
  alignments(&host);
  closed_list(&host);
  image_regions(&host);
  priorities(&host);
  CHECK(zeModuleDestroy(module));
  CHECK(zeContextDestroy(host.context));
  puts("lenient: ok");
  return 0;
}
