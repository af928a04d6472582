/* link_spirv KERNEL-MODULE FUNCTION-MODULE ITEMS: one module of two SPIR-V inputs; the kernel `calls`
 * of the first calls a function of the second, and writes what it gives for each work-item. */
#include "host.h"

enum { INPUTS = 2 };

int main(int argc, char** argv) {
  if (argc != 4) {
    return 2;
  }
  const struct host host = open_device();
  const uint32_t items = (uint32_t)strtoul(argv[3], NULL, 0);
  size_t sizes[INPUTS] = {0, 0};
  const uint8_t* inputs[INPUTS] = {read_file(argv[1], &sizes[0]), read_file(argv[2], &sizes[1])};
  const char* flags[INPUTS] = {"-g", NULL};
  ze_module_program_exp_desc_t program = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
                                          .count = INPUTS,
                                          .inputSizes = sizes,
                                          .pInputModules = inputs,
                                          .pBuildFlags = flags};
  ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                  .pNext = &program,
                                  .format = ZE_MODULE_FORMAT_IL_SPIRV};
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  if (zeModuleCreate(host.context, host.device, &description, &module, &log) != 0) {
    char text[1024] = "";
    size_t length = sizeof text;
    zeModuleBuildLogGetString(log, &length, text);
    fprintf(stderr, "%s", text);
    return 1;
  }
  /* Native modules are linked by zeModuleDynamicLink only; no input, or an empty one, is none. */
  ze_module_handle_t none = NULL;
  description.format = ZE_MODULE_FORMAT_NATIVE;
  EXPECT(zeModuleCreate(host.context, host.device, &description, &none, NULL) ==
         ZE_RESULT_ERROR_INVALID_ARGUMENT);
  description.format = ZE_MODULE_FORMAT_IL_SPIRV;
  sizes[1] = 0;
  EXPECT(zeModuleCreate(host.context, host.device, &description, &none, NULL) ==
         ZE_RESULT_ERROR_INVALID_SIZE);
  program.count = 0;
  EXPECT(zeModuleCreate(host.context, host.device, &description, &none, NULL) ==
         ZE_RESULT_ERROR_INVALID_SIZE);

  int* out = allocate_shared(&host, items * sizeof(int));
  ze_kernel_handle_t kernel = create_kernel(module, "calls");
  CHECK(zeKernelSetGroupSize(kernel, items, 1, 1));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
  const ze_group_count_t groups = {1, 1, 1};
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  for (uint32_t index = 0; index < items; ++index) {
    printf("%d\n", out[index]);
  }
  return 0;
}
