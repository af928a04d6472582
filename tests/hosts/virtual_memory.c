/* virtual_memory MODULE: reserved addresses, physical memory mapped there once and twice, access
 * attributes, and vadd on a buffer that is made of two pieces of physical memory. */
#include "host.h"

enum { GROUP = 32 };

/* Not free, so that the driver chooses. (Null says that as well, but the old validation layer refuses it.) */
static const void* const anywhere = (const void*)0x10000;

static ze_physical_mem_handle_t physical(const struct host* host, size_t size) {
  ze_physical_mem_desc_t description = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = size};
  ze_physical_mem_handle_t memory = NULL;
  CHECK(zePhysicalMemCreate(host->context, host->device, &description, &memory));
  return memory;
}

static ze_memory_access_attribute_t access_of(const struct host* host, const void* pointer,
                                              size_t least) {
  ze_memory_access_attribute_t access = ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
  size_t size = 0;
  CHECK(zeVirtualMemGetAccessAttribute(host->context, pointer, 4096, &access, &size));
  EXPECT(size >= least);
  return access;
}

static void reservations(const struct host* host, size_t page) {
  void* first = NULL;
  void* second = NULL;
  CHECK(zeVirtualMemReserve(host->context, anywhere, 4 * page, &first));
  CHECK(zeVirtualMemReserve(host->context, (char*)first + 64 * page, page, &second));
  EXPECT(second == (char*)first + 64 * page); /* where it was asked for, since that is free */
  EXPECT(access_of(host, first, 4 * page) == ZE_MEMORY_ACCESS_ATTRIBUTE_NONE);
  CHECK(zeVirtualMemSetAccessAttribute(host->context, first, 4 * page,
                                       ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  EXPECT(access_of(host, first, 4 * page) == ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeVirtualMemFree(host->context, first, page)); /* a part of it */
  CHECK(zeVirtualMemFree(host->context, first, 4 * page));
  CHECK(zeVirtualMemFree(host->context, second, page));
  void* huge = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
                zeVirtualMemReserve(host->context, anywhere, (size_t)1 << 50, &huge));
}

/* More addresses than allocations get, one after the other up to half of the address space, with memory at their
 * end. */
static void large_reservations(const struct host* host, ze_command_list_handle_t list, size_t page) {
  const size_t tib = (size_t)1 << 40;
  ze_physical_mem_handle_t memory = physical(host, page);
  for (size_t size = tib; size <= 64 * tib; size *= 8) {
    char* large = NULL;
    CHECK(zeVirtualMemReserve(host->context, anywhere, size, (void**)&large));
    char* const last = large + size - page;
    CHECK(zeVirtualMemMap(host->context, last, page, memory, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    const char value = size == tib ? 'a' : 'b';
    CHECK(zeCommandListAppendMemoryFill(list, last, &value, 1, page, NULL, 0, NULL));
    EXPECT(last[0] == value && last[page - 1] == value);
    EXPECT(access_of(host, large, page) == ZE_MEMORY_ACCESS_ATTRIBUTE_NONE);
    CHECK(zeVirtualMemUnmap(host->context, last, page));
    CHECK(zeVirtualMemFree(host->context, large, size));
  }
  CHECK(zePhysicalMemDestroy(host->context, memory));
}

static void mappings(const struct host* host, ze_command_list_handle_t list, size_t page) {
  ze_physical_mem_handle_t memory = physical(host, 2 * page);
  char* once = NULL;
  char* twice = NULL;
  CHECK(zeVirtualMemReserve(host->context, anywhere, 2 * page, (void**)&once));
  CHECK(zeVirtualMemReserve(host->context, anywhere, 2 * page, (void**)&twice));
  CHECK(zeVirtualMemMap(host->context, once, 2 * page, memory, 0,
                        ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  CHECK(zeVirtualMemMap(host->context, twice, page, memory, page,
                        ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeVirtualMemMap(host->context, twice, page, memory, 0,
                                ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  EXPECT(access_of(host, twice, page) == ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY);
  CHECK(zeCommandListAppendMemoryFill(list, once, "a", 1, page, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryFill(list, once + page, "b", 1, page, NULL, 0, NULL));
  char back[2] = {0, 0};
  CHECK(zeCommandListAppendMemoryCopy(list, &back[0], once + page - 1, 1, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, &back[1], twice, 1, NULL, 0, NULL));
  EXPECT(back[0] == 'a' && back[1] == 'b');
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  CHECK(zeMemGetAllocProperties(host->context, once + 5, &properties, NULL));
  EXPECT(properties.type == ZE_MEMORY_TYPE_DEVICE);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(host->context, once));
  /* The pages stay while they are mapped. */
  CHECK(zePhysicalMemDestroy(host->context, memory));
  CHECK(zeVirtualMemUnmap(host->context, once, page));
  CHECK(zeCommandListAppendMemoryCopy(list, &back[0], once + page, 1, NULL, 0, NULL));
  EXPECT(back[0] == 'b');
  CHECK(zeVirtualMemFree(host->context, once, 2 * page)); /* with what is still mapped */
  CHECK(zeVirtualMemUnmap(host->context, twice, page));
  CHECK(zeVirtualMemFree(host->context, twice, 2 * page));
}

/* Three vectors in one buffer of two pieces; the middle one lies in both. */
static void kernel_on_pieces(const struct host* host, ze_command_list_handle_t list,
                             ze_module_handle_t module, size_t page) {
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  ze_physical_mem_handle_t pieces[2] = {physical(host, page), physical(host, page)};
  char* buffer = NULL;
  CHECK(zeVirtualMemReserve(host->context, anywhere, 2 * page, (void**)&buffer));
  for (size_t i = 0; i < 2; ++i) {
    CHECK(zeVirtualMemMap(host->context, buffer + i * page, page, pieces[i], 0,
                          ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  }
  const int items = (int)(2 * page / 4 / sizeof(float)) / GROUP * GROUP;
  float* vectors[3] = {(float*)buffer, (float*)buffer + items, (float*)buffer + 2 * items};
  float* values = allocate_shared(host, (size_t)items * sizeof(float));
  for (int i = 0; i < items; ++i) {
    values[i] = (float)i;
  }
  const size_t bytes = (size_t)items * sizeof(float);
  CHECK(zeCommandListAppendMemoryCopy(list, vectors[0], values, bytes, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, vectors[1], values, bytes, NULL, 0, NULL));
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(zeKernelSetArgumentValue(kernel, i, sizeof(float*), &vectors[i]));
  }
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(items), &items));
  CHECK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  const ze_group_count_t groups = {(uint32_t)items / GROUP, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, values, vectors[2], bytes, NULL, 0, NULL));
  for (int i = 0; i < items; ++i) {
    EXPECT(values[i] == 2.0F * (float)i);
  }
  CHECK(zeVirtualMemUnmap(host->context, buffer, 2 * page));
  CHECK(zeVirtualMemFree(host->context, buffer, 2 * page));
  for (int i = 0; i < 2; ++i) {
    CHECK(zePhysicalMemDestroy(host->context, pieces[i]));
  }
  CHECK(zeMemFree(host->context, values));
  CHECK(zeKernelDestroy(kernel));
}

int main(int argc, char** argv) {
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, only_argument(argc, argv, "MODULE"));
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  size_t page = 0;
  CHECK(zeVirtualMemQueryPageSize(host.context, host.device, 1, &page));
  reservations(&host, page);
  large_reservations(&host, list, page);
  mappings(&host, list, page);
  kernel_on_pieces(&host, list, module, page);
  CHECK(zeCommandListDestroy(list));
  CHECK(zeModuleDestroy(module));
  CHECK(zeContextDestroy(host.context));
  puts("virtual_memory: ok");
  return 0;
}
