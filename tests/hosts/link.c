/* link IMPORTS EXPORTS [destroy]: a kernel that calls a function of another module: refused before
 * the modules are linked, and when none or two of them define the function. With "destroy" the
 * module that defines it is gone when the kernel calls it. */
#include <level_zero/zet_api.h>

#include "host.h"

enum { ITEMS = 64 };

static uint32_t flags(ze_module_handle_t module) {
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  CHECK(zeModuleGetProperties(module, &properties));
  return properties.flags;
}

/* What debuggers get of a module; the caller frees it. */
static uint8_t* debug_information(ze_module_handle_t module, size_t* size) {
  const zet_module_debug_info_format_t format = ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF;
  CHECK(zetModuleGetDebugInfo((zet_module_handle_t)module, format, size, NULL));
  uint8_t* image = malloc(*size);
  CHECK(zetModuleGetDebugInfo((zet_module_handle_t)module, format, size, image));
  return image;
}

static void expect_refusal(ze_module_handle_t* modules, uint32_t count, const char* line) {
  ze_module_build_log_handle_t log = NULL;
  char text[256] = "";
  size_t size = sizeof text;
  EXPECT(zeModuleDynamicLink(count, modules, &log) == ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK(zeModuleBuildLogGetString(log, &size, text));
  EXPECT(strcmp(text, line) == 0);
  CHECK(zeModuleBuildLogDestroy(log));
}

/* What is to be linked, of the module that imports and then of both. */
static void expect_linkage(ze_module_handle_t* modules, uint32_t count, uint32_t flags,
                           const char* expected) {
  ze_linkage_inspection_ext_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, .flags = flags};
  ze_module_build_log_handle_t log = NULL;
  char text[512] = "";
  size_t size = sizeof text;
  CHECK(zeModuleInspectLinkageExt(&description, count, modules, &log));
  CHECK(zeModuleBuildLogGetString(log, &size, text));
  if (strcmp(text, expected) != 0) {
    fprintf(stderr, "linkage:\n%s", text);
    exit(1);
  }
  CHECK(zeModuleBuildLogDestroy(log));
}

static void run(const struct host* host, ze_module_handle_t module) {
  int* table = allocate_shared(host, 8 * sizeof(int));
  int* out = allocate_shared(host, ITEMS * sizeof(int));
  for (int i = 0; i < 8; ++i) {
    table[i] = i * i;
  }
  ze_kernel_handle_t kernel = create_kernel(module, "imports");
  CHECK(zeKernelSetGroupSize(kernel, ITEMS / 2, 1, 1));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof table, &table));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof out, &out));
  const ze_group_count_t groups = {2, 1, 1};
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  for (int i = 0; i < ITEMS; ++i) {
    EXPECT(out[i] == table[i & 7] * 10 + i + 1000 + 1);
  }
  CHECK(zeKernelDestroy(kernel));
}

int main(int argc, char** argv) {
  const struct host host = open_device();
  if (argc < 3) {
    return 2;
  }
  ze_module_handle_t modules[3] = {load_module(&host, argv[1]), load_module(&host, argv[2]),
                                   load_module(&host, argv[2])};
  EXPECT(flags(modules[0]) == ZE_MODULE_PROPERTY_FLAG_IMPORTS);
  EXPECT(flags(modules[1]) == 0);

  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = "imports"};
  ze_kernel_handle_t kernel = NULL;
  EXPECT(zeKernelCreate(modules[0], &description, &kernel) ==
         ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  expect_linkage(modules, 1, ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS,
                 "unresolvable imports:\n  library_step\n");
  expect_linkage(modules, 2, ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS |
                                 ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS,
                 "imports:\n  library_step\nunresolvable imports:\n");
  expect_refusal(modules, 1, "`library_step` is defined by none of the modules\n");
  expect_refusal(modules, 3, "`library_step` is defined by 2 of the modules\n");

  size_t unlinked_size = 0;
  size_t linked_size = 0;
  uint8_t* unlinked = debug_information(modules[0], &unlinked_size);
  EXPECT(unlinked_size > 64);
  CHECK(zeModuleDynamicLink(2, modules, NULL));
  uint8_t* linked = debug_information(modules[0], &linked_size);
  EXPECT(linked_size == unlinked_size && memcmp(linked, unlinked, linked_size) == 0);
  free(linked);
  free(unlinked);
  void* function = NULL;
  CHECK(zeModuleGetFunctionPointer(modules[1], "library_step", &function));
  EXPECT(function != NULL);
  if (argc == 4) { /* what is linked does not keep what it uses: the kernel faults in `run` */
    CHECK(zeModuleDestroy(modules[1]));
  }
  run(&host, modules[0]);
  CHECK(zeModuleDynamicLink(3, modules, NULL)); /* linked only once: not ambiguous any more */
  run(&host, modules[0]);
  for (int i = 0; i < 3; ++i) {
    CHECK(zeModuleDestroy(modules[i]));
  }
  puts("link: ok");
  return 0;
}
