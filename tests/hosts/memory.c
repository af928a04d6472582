/* memory: allocations, what is reported of them, copies, fills and regions. */
#include "host.h"

static ze_memory_type_t type_of(const struct host* host, const void* pointer,
                                ze_device_handle_t* device) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  CHECK(zeMemGetAllocProperties(host->context, pointer, &properties, device));
  return properties.type;
}

static void allocations(const struct host* host) {
  ze_device_handle_t owner = NULL;
  char* device = allocate_device(host, 5000);
  char* on_host = allocate_host(host, 5000);
  char* shared = allocate_shared(host, 5000);
  EXPECT(type_of(host, device, &owner) == ZE_MEMORY_TYPE_DEVICE && owner == host->device);
  EXPECT(type_of(host, on_host, &owner) == ZE_MEMORY_TYPE_HOST && owner == NULL);
  EXPECT(type_of(host, shared, &owner) == ZE_MEMORY_TYPE_SHARED && owner == host->device);
  EXPECT(type_of(host, device + 4999, NULL) == ZE_MEMORY_TYPE_DEVICE); /* interior */
  EXPECT(type_of(host, &owner, NULL) == ZE_MEMORY_TYPE_UNKNOWN);       /* the program's own */

  void* base = NULL;
  size_t size = 0;
  CHECK(zeMemGetAddressRange(host->context, shared + 1234, &base, &size));
  EXPECT(base == shared && size == 5000);
  for (int index = 0; index < 5000; ++index) {
    EXPECT(shared[index] == 0 && on_host[index] == 0); /* fresh memory is zero */
  }
  CHECK(zeContextMakeMemoryResident(host->context, host->device, device, 5000));
  CHECK(zeContextEvictMemory(host->context, host->device, device, 5000));

  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(host->context, shared + 16));
  CHECK(zeMemFree(host->context, device));
  CHECK(zeMemFree(host->context, on_host));
  CHECK(zeMemFree(host->context, shared));
  EXPECT(type_of(host, shared, NULL) == ZE_MEMORY_TYPE_UNKNOWN);

  const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  for (size_t alignment = 1; alignment <= 1 << 16; alignment *= 2) {
    void* pointer = NULL;
    CHECK(zeMemAllocHost(host->context, &description, 100, alignment, &pointer));
    EXPECT((uintptr_t)pointer % alignment == 0);
    CHECK(zeMemFree(host->context, pointer));
  }
  void* pointer = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_SIZE,
                zeMemAllocHost(host->context, &description, (size_t)1 << 50, 0, &pointer));
}

static void copies(const struct host* host, ze_command_list_handle_t list) {
  enum { SIZE = 4096 };
  uint8_t* device = allocate_device(host, SIZE);
  uint8_t* other = allocate_device(host, SIZE);
  uint8_t own[SIZE];
  uint8_t back[SIZE];
  for (int index = 0; index < SIZE; ++index) {
    own[index] = (uint8_t)(index * 7);
  }
  CHECK(zeCommandListAppendMemoryCopy(list, device, own, SIZE, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, other + 1, device + 3, 1000, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, back, other, SIZE, NULL, 0, NULL));
  EXPECT(memcmp(back + 1, own + 3, 1000) == 0 && back[0] == 0 && back[1001] == 0);

  const uint32_t pattern = 0x12345678;
  CHECK(
      zeCommandListAppendMemoryFill(list, device, &pattern, sizeof(pattern), SIZE, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryFill(list, device + 8, "x", 1, 4, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, back, device, SIZE, NULL, 0, NULL));
  EXPECT(memcmp(back, "\x78\x56\x34\x12\x78\x56\x34\x12xxxx\x78\x56\x34\x12", 16) == 0);
  EXPECT(memcmp(back + SIZE - 4, &pattern, 4) == 0);
  CHECK(zeCommandListAppendMemoryPrefetch(list, device, SIZE));
  CHECK(zeCommandListAppendMemAdvise(list, host->device, device, SIZE,
                                     ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  CHECK(zeMemFree(host->context, device));
  CHECK(zeMemFree(host->context, other));
}

/* A box of 4 x 3 x 2 bytes out of rows of 16 and slices of 64 bytes, into rows of 8 and slices of
 * 32, against the same done by hand. */
static void regions(const struct host* host, ze_command_list_handle_t list) {
  uint8_t* source = allocate_shared(host, 256);
  uint8_t* target = allocate_shared(host, 256);
  uint8_t expected[256];
  memset(expected, 0, sizeof(expected));
  for (int index = 0; index < 256; ++index) {
    source[index] = (uint8_t)index;
  }
  const ze_copy_region_t from = {2, 1, 1, 4, 3, 2};
  const ze_copy_region_t to = {1, 0, 2, 4, 3, 2};
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) {
        expected[(2 + z) * 32 + y * 8 + 1 + x] = source[(1 + z) * 64 + (1 + y) * 16 + 2 + x];
      }
    }
  }
  CHECK(zeCommandListAppendMemoryCopyRegion(list, target, &to, 8, 32, source, &from, 16, 64, NULL,
                                            0, NULL));
  EXPECT(memcmp(target, expected, sizeof(expected)) == 0);
  CHECK(zeMemFree(host->context, source));
  CHECK(zeMemFree(host->context, target));
}

int main(void) {
  const struct host host = open_device();
  allocations(&host);
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  copies(&host, list);
  regions(&host, list);
  CHECK(zeCommandListDestroy(list));
  CHECK(zeContextDestroy(host.context));
  puts("memory: ok");
  return 0;
}
