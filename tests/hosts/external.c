/* external: memory of the device as a descriptor, imported again here and in another process; images as
 * descriptors; and a file in memory of the program, imported for the device. */
#define _GNU_SOURCE
#include "processes.h"

#include <sys/mman.h>
#include <sys/stat.h>

enum { SIZE = 3 * 4096 + 100 };

static ze_result_t import_memory(const struct host* host, int descriptor, size_t size,
                                 ze_external_memory_type_flags_t type, void** memory) {
  const ze_external_memory_import_fd_t import = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, .flags = type, .fd = descriptor};
  const ze_device_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
                                                  .pNext = &import};
  return zeMemAllocDevice(host->context, &description, size, 1 << 16, host->device, memory);
}

/* Every byte of the memory, which must all be the same. */
static char content(const struct host* host, const void* memory) {
  char own[SIZE];
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendMemoryCopy(list, own, memory, SIZE, NULL, 0, NULL));
  for (int i = 1; i < SIZE; ++i) {
    EXPECT(own[i] == own[0]);
  }
  CHECK(zeCommandListDestroy(list));
  return own[0];
}

static void fill(const struct host* host, void* memory, char value) {
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendMemoryFill(list, memory, &value, 1, SIZE, NULL, 0, NULL));
  CHECK(zeCommandListDestroy(list));
}

static void other(int socket) {
  char said;
  const int descriptor = receive_with_descriptor(socket, &said, 1);
  const struct host host = open_device();
  void* memory = NULL;
  CHECK(import_memory(&host, descriptor, SIZE, ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, &memory));
  close(descriptor); /* the memory stays */
  EXPECT(content(&host, memory) == 'a');
  fill(&host, memory, 'b');
  CHECK(zeMemFree(host.context, memory));
  tell(socket, 'b');
}

/* Physical memory may be imported, too. */
static void mapped(const struct host* host, int descriptor, size_t size, char expected) {
  const ze_external_memory_import_fd_t import = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
      .fd = descriptor};
  ze_physical_mem_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .pNext = &import, .size = size};
  ze_physical_mem_handle_t physical = NULL;
  CHECK(zePhysicalMemCreate(host->context, host->device, &description, &physical));
  void* memory = NULL;
  const void* const anywhere = (const void*)0x10000;
  CHECK(zeVirtualMemReserve(host->context, anywhere, size, &memory));
  CHECK(zeVirtualMemMap(host->context, memory, size, physical, 0,
                        ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  EXPECT(content(host, memory) == expected);
  CHECK(zeVirtualMemFree(host->context, memory, size));
  CHECK(zePhysicalMemDestroy(host->context, physical));
  description.size = 100 * size;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zePhysicalMemCreate(host->context, host->device, &description, &physical));
}

static void* allocate_exported(const struct host* host, size_t size) {
  const ze_external_memory_export_desc_t sharing = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
  const ze_device_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
                                                  .pNext = &sharing};
  void* memory = NULL;
  CHECK(zeMemAllocDevice(host->context, &description, size, 0, host->device, &memory));
  return memory;
}

static int descriptor_of(const struct host* host, const void* memory) {
  ze_external_memory_export_fd_t descriptor = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
      .fd = -1};
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .pNext = &descriptor};
  CHECK(zeMemGetAllocProperties(host->context, memory, &properties, NULL));
  EXPECT(descriptor.fd >= 0);
  return descriptor.fd;
}

static void exported(const struct host* host, int socket) {
  void* const memory = allocate_exported(host, SIZE);
  fill(host, memory, 'a');
  const int descriptor = descriptor_of(host, memory);
  send_with_descriptor(socket, "d", 1, descriptor);
  void* again = NULL;
  CHECK(import_memory(host, descriptor, SIZE, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, &again));
  EXPECT(again != memory && (uintptr_t)again % (1 << 16) == 0);
  await(socket, 'b');
  EXPECT(content(host, memory) == 'b' && content(host, again) == 'b');
  mapped(host, descriptor, 1 << 16, 'b'); /* a page of physical memory */
  CHECK(zeMemFree(host->context, memory));
  EXPECT(content(host, again) == 'b');
  CHECK(zeMemFree(host->context, again));
  EXPECT(close(descriptor) != 0); /* it went with the allocation */
}

/* What is imported of a longer descriptor is no longer than that: the next allocation has memory of its own. */
static void neighbour(const struct host* host, int descriptor) {
  void* page = NULL;
  CHECK(import_memory(host, descriptor, 4096, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, &page));
  void* const next = allocate_exported(host, 4096);
  struct stat imported, own;
  EXPECT(fstat(descriptor, &imported) == 0 && fstat(descriptor_of(host, next), &own) == 0);
  EXPECT(imported.st_ino != own.st_ino);
  CHECK(zeMemFree(host->context, next));
  CHECK(zeMemFree(host->context, page));
}

static void of_the_program(const struct host* host) {
  const int descriptor = memfd_create("memory", MFD_CLOEXEC);
  EXPECT(ftruncate(descriptor, SIZE) == 0);
  char* own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  EXPECT(own != MAP_FAILED);
  memset(own, 'c', SIZE);
  void* memory = NULL;
  CHECK(import_memory(host, descriptor, SIZE, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, &memory));
  EXPECT(content(host, memory) == 'c');
  fill(host, memory, 'd');
  EXPECT(own[0] == 'd' && own[SIZE - 1] == 'd');
  CHECK(zeMemFree(host->context, memory));
  mapped(host, descriptor, 4 * 4096, 'd');
  neighbour(host, descriptor);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, /* more than there is */
                import_memory(host, descriptor, 2 * SIZE, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
                              &memory));
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
                import_memory(host, descriptor, SIZE, ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32,
                              &memory));
  close(descriptor);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                import_memory(host, descriptor, SIZE, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, &memory));
}

enum { WIDTH = 33, HEIGHT = 8, DEPTH = 4, TEXELS = WIDTH * HEIGHT * DEPTH };

static ze_image_desc_t volume(const void* sharing) {
  const ze_image_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .pNext = sharing,
      .type = ZE_IMAGE_TYPE_3D,
      .format = {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT, ZE_IMAGE_FORMAT_SWIZZLE_R,
                 ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_1},
      .width = WIDTH,
      .height = HEIGHT,
      .depth = DEPTH};
  return description;
}

static int descriptor_of_image(const struct host* host, ze_image_handle_t image) {
  ze_external_memory_export_fd_t descriptor = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
      .fd = -1};
  ze_image_allocation_ext_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES, .pNext = &descriptor};
  CHECK(zeImageGetAllocPropertiesExt(host->context, image, &properties));
  return descriptor.fd;
}

static ze_result_t import_image(const struct host* host, int descriptor, ze_image_handle_t* image) {
  const ze_external_memory_import_fd_t import = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
      .fd = descriptor};
  const ze_image_desc_t description = volume(&import);
  return zeImageCreate(host->context, host->device, &description, image);
}

static void expect_texels(const struct host* host, ze_image_handle_t image, int start) {
  uint8_t texels[TEXELS];
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendImageCopyToMemory(list, texels, image, NULL, NULL, 0, NULL));
  CHECK(zeCommandListDestroy(list));
  for (int i = 0; i < TEXELS; ++i) {
    EXPECT(texels[i] == (uint8_t)(start + i));
  }
}

/* Rows follow each other in the memory of an image that is shared: an allocation can be one, too. */
static void images(const struct host* host) {
  const ze_external_memory_export_desc_t sharing = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
  const ze_image_desc_t description = volume(&sharing);
  ze_image_handle_t exported, imported, not_shared;
  CHECK(zeImageCreate(host->context, host->device, &description, &exported));
  uint8_t texels[TEXELS];
  for (int i = 0; i < TEXELS; ++i) {
    texels[i] = (uint8_t)i;
  }
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendImageCopyFromMemory(list, exported, texels, NULL, NULL, 0, NULL));
  const int descriptor = descriptor_of_image(host, exported);
  EXPECT(descriptor >= 0);
  CHECK(import_image(host, descriptor, &imported));
  CHECK(zeImageDestroy(exported));
  expect_texels(host, imported, 0);
  CHECK(zeImageDestroy(imported));

  uint8_t* const memory = allocate_exported(host, TEXELS);
  for (int i = 0; i < TEXELS; ++i) {
    texels[i] = (uint8_t)(77 + i);
  }
  CHECK(zeCommandListAppendMemoryCopy(list, memory, texels, TEXELS, NULL, 0, NULL));
  CHECK(import_image(host, descriptor_of(host, memory), &imported));
  expect_texels(host, imported, 77);
  /* What a command writes to the one is in the other. */
  const uint8_t changed = 76;
  CHECK(zeCommandListAppendMemoryCopy(list, memory, &changed, 1, NULL, 0, NULL));
  const ze_image_region_t first = {0, 0, 0, 1, 1, 1};
  uint8_t read = 0;
  CHECK(zeCommandListAppendImageCopyToMemory(list, &read, imported, &first, NULL, 0, NULL));
  EXPECT(read == changed);
  CHECK(zeImageDestroy(imported));

  const ze_image_desc_t alone = volume(NULL);
  CHECK(zeImageCreate(host->context, host->device, &alone, &not_shared));
  EXPECT(descriptor_of_image(host, not_shared) < 0); /* it was not made for it */
  CHECK(zeImageDestroy(not_shared));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, import_image(host, -1, &imported));
  CHECK(zeMemFree(host->context, memory));
  CHECK(zeCommandListDestroy(list));
}

int main(void) {
  const struct other_process process = start_other(other);
  const struct host host = open_device();
  ze_device_external_memory_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
  CHECK(zeDeviceGetExternalMemoryProperties(host.device, &properties));
  EXPECT((properties.memoryAllocationImportTypes & ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF) != 0);
  EXPECT((properties.imageImportTypes & properties.imageExportTypes &
          ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF) != 0);
  exported(&host, process.socket);
  images(&host);
  of_the_program(&host);
  end_other(process);
  CHECK(zeContextDestroy(host.context));
  puts("external: ok");
  return 0;
}
