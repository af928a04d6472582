/* vadd_dlopen MODULE: a program that is not linked with Level Zero but opens it at run time, as
 * language runtimes do, and launches one kernel. */
#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 256 };

static void* library;

static void* look_up(const char* name) {
  void* function = dlsym(library, name);
  if (function == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return function;
}

/* Calls the API function `name`, found at run time, with the declared function's type. */
#define CALL(name, ...)                                                                   \
  do {                                                                                    \
    const ze_result_t result = ((__typeof__(&name))look_up(#name))(__VA_ARGS__);          \
    if (result != ZE_RESULT_SUCCESS) {                                                    \
      fprintf(stderr, "%s:%d: %s = 0x%x\n", __FILE__, __LINE__, #name, (unsigned)result); \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODULE\n", argv[0]);
    return 2;
  }
  static uint8_t binary[1 << 20];
  FILE* file = fopen(argv[1], "rb");
  if (file == NULL) {
    perror(argv[1]);
    return 1;
  }
  const size_t binary_size = fread(binary, 1, sizeof(binary), file);
  fclose(file);

  library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  CALL(zeInit, 0);
  uint32_t count = 1;
  ze_driver_handle_t driver = NULL;
  CALL(zeDriverGet, &count, &driver);
  count = 1;
  ze_device_handle_t device = NULL;
  CALL(zeDeviceGet, driver, &count, &device);
  const ze_context_desc_t context_description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t context = NULL;
  CALL(zeContextCreate, driver, &context_description, &context);
  const ze_module_desc_t module_description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                               .format = ZE_MODULE_FORMAT_NATIVE,
                                               .inputSize = binary_size,
                                               .pInputModule = binary};
  ze_module_handle_t module = NULL;
  CALL(zeModuleCreate, context, device, &module_description, &module, NULL);
  const ze_kernel_desc_t kernel_description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                               .pKernelName = "vadd"};
  ze_kernel_handle_t kernel = NULL;
  CALL(zeKernelCreate, module, &kernel_description, &kernel);

  const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  float* vectors[3];
  for (uint32_t index = 0; index < 3; ++index) {
    void* pointer = NULL;
    CALL(zeMemAllocShared, context, &on_device, &on_host, ITEMS * sizeof(float), 64, device,
         &pointer);
    vectors[index] = pointer;
    CALL(zeKernelSetArgumentValue, kernel, index, sizeof(pointer), &pointer);
  }
  for (int i = 0; i < ITEMS; ++i) {
    vectors[0][i] = (float)i;
    vectors[1][i] = 1000.0F;
  }
  const int items = ITEMS;
  CALL(zeKernelSetArgumentValue, kernel, 3, sizeof(items), &items);
  uint32_t group[3] = {0, 0, 0};
  CALL(zeKernelSuggestGroupSize, kernel, ITEMS, 1, 1, &group[0], &group[1], &group[2]);
  CALL(zeKernelSetGroupSize, kernel, group[0], group[1], group[2]);

  const ze_command_queue_desc_t queue_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                     .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list = NULL;
  CALL(zeCommandListCreateImmediate, context, device, &queue_description, &list);
  const ze_group_count_t groups = {ITEMS / group[0], 1, 1};
  CALL(zeCommandListAppendLaunchKernel, list, kernel, &groups, NULL, 0, NULL);
  for (int i = 0; i < ITEMS; ++i) {
    if (vectors[2][i] != (float)i + 1000.0F) {
      fprintf(stderr, "c[%d] = %g\n", i, vectors[2][i]);
      return 1;
    }
  }
  CALL(zeCommandListDestroy, list);
  CALL(zeKernelDestroy, kernel);
  CALL(zeModuleDestroy, module);
  puts("vadd_dlopen: ok");
  return 0; /* memory and context are left to the driver */
}
