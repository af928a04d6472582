/* modules GOOD BAD...: the first file is a module with a kernel "vadd" and is asked everything that
 * can be asked of it; each other file must be refused as a native binary, with one line of log. */
#include <level_zero/zet_api.h>

#include "host.h"

static void refuse(const struct host* host, const char* path) {
  size_t size = 0;
  uint8_t* binary = read_file(path, &size);
  const ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                        .format = ZE_MODULE_FORMAT_NATIVE,
                                        .inputSize = size,
                                        .pInputModule = binary};
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY,
                zeModuleCreate(host->context, host->device, &description, &module, &log));
  EXPECT(module == NULL && log != NULL);
  size_t length = 0;
  CHECK(zeModuleBuildLogGetString(log, &length, NULL));
  char* text = calloc(1, length);
  CHECK(zeModuleBuildLogGetString(log, &length, text));
  EXPECT(strlen(text) + 1 == length && length > 2);
  EXPECT(strchr(text, '\n') == text + length - 2); /* one line */
  printf("log %s", text);
  CHECK(zeModuleBuildLogDestroy(log));
  free(text);
  free(binary);
}

static void same_bytes(ze_module_handle_t module, const char* path) {
  size_t file_size = 0;
  uint8_t* file = read_file(path, &file_size);
  size_t size = 0;
  CHECK(zeModuleGetNativeBinary(module, &size, NULL));
  EXPECT(size == file_size);
  uint8_t* binary = malloc(size);
  CHECK(zeModuleGetNativeBinary(module, &size, binary));
  EXPECT(memcmp(binary, file, size) == 0);
  free(file);
  free(binary);
}

static void debug_information(ze_module_handle_t module) {
  size_t size = 0;
  CHECK(zetModuleGetDebugInfo((zet_module_handle_t)module, ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF,
                              &size, NULL));
  uint8_t* image = malloc(size);
  CHECK(zetModuleGetDebugInfo((zet_module_handle_t)module, ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF,
                              &size, image));
  EXPECT(size > 64 && memcmp(image, "\177ELF", 4) == 0);
  EXPECT(image[16] == 2); /* ET_EXEC */
  free(image);
}

static void kernels(ze_module_handle_t module) {
  uint32_t count = 0;
  CHECK(zeModuleGetKernelNames(module, &count, NULL));
  EXPECT(count == 1);
  const char* name = NULL;
  CHECK(zeModuleGetKernelNames(module, &count, &name));
  EXPECT(strcmp(name, "vadd") == 0);
  const ze_kernel_desc_t none = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "none"};
  ze_kernel_handle_t kernel = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, zeKernelCreate(module, &none, &kernel));

  kernel = create_kernel(module, "vadd");
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  CHECK(zeKernelGetProperties(kernel, &properties));
  EXPECT(properties.numKernelArgs == 4);
  EXPECT(properties.maxSubgroupSize >= 8 && properties.maxSubgroupSize <= 32);
  EXPECT(properties.maxNumSubgroups * properties.maxSubgroupSize <= 1024);
  char text[16];
  size_t length = sizeof(text);
  CHECK(zeKernelGetName(kernel, &length, text));
  EXPECT(length == 5 && strcmp(text, "vadd") == 0);

  const int wrong = 1;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX,
                zeKernelSetArgumentValue(kernel, 4, sizeof(wrong), &wrong));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE,
                zeKernelSetArgumentValue(kernel, 0, sizeof(wrong), &wrong));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
                zeKernelSetGroupSize(kernel, 2048, 1, 1));
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t z = 0;
  CHECK(zeKernelSuggestGroupSize(kernel, 96, 10, 6, &x, &y, &z));
  EXPECT(96 % x == 0 && 10 % y == 0 && 6 % z == 0 && x * y * z <= 1024 && x == 96);
  CHECK(zeKernelSetGroupSize(kernel, 1024, 1, 1));
  uint32_t groups = 0;
  CHECK(zeKernelSuggestMaxCooperativeGroupCount(kernel, &groups));
  EXPECT(groups >= 32);
  CHECK(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST));
  ze_kernel_indirect_access_flags_t flags = 0;
  CHECK(zeKernelGetIndirectAccess(kernel, &flags));
  EXPECT(flags == ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST);
  CHECK(zeKernelSetCacheConfig(kernel, ZE_CACHE_CONFIG_FLAG_LARGE_SLM));
  CHECK(zeKernelDestroy(kernel));
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s GOOD BAD...\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, argv[1]);
  kernels(module);
  same_bytes(module, argv[1]);
  debug_information(module);
  void* function = NULL;
  CHECK(zeModuleGetFunctionPointer(module, "vadd", &function));
  EXPECT(function != NULL);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME,
                zeModuleGetFunctionPointer(module, "none", &function));
  size_t size = 0;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME,
                zeModuleGetGlobalPointer(module, "none", &size, &function));
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  CHECK(zeModuleGetProperties(module, &properties));
  EXPECT(properties.flags == 0);
  if (getenv("ZE_ENABLE_LOADER_INTERCEPT") == NULL) {
    /* The intercepting loader 1.8 takes the array for a module, and answers by itself. */
    CHECK(zeModuleDynamicLink(1, &module, NULL));
  }
  CHECK(zeModuleDestroy(module));
  for (int index = 2; index < argc; ++index) {
    refuse(&host, argv[index]);
  }
  CHECK(zeContextDestroy(host.context));
  puts("modules: ok");
  return 0;
}
