/* constants LIBRARY MODULE KERNEL HOW NUMBER:SIZE...: runs KERNEL of MODULE, whose device image is
 * registered in LIBRARY, on 16 work-items, and prints the first three numbers that it wrote. The
 * numbers, of so many bytes, are its specialization constants: given when the module is built (HOW
 * is "build", or "program" as one of several inputs; their ids count from 0), or in a buffer, its
 * second argument (HOW is "buffer"). With WAIT_FOR_INPUT it waits for a line when the module is
 * there. */
#include <dlfcn.h>

#include "host.h"

enum { ITEMS = 16, MOST = 8, MOST_BYTES = 8 * MOST };

struct constants {
  uint32_t count;
  uint32_t ids[MOST];
  uint64_t values[MOST];
  const void* pointers[MOST];
  uint8_t packed[MOST_BYTES];
};

static struct constants read_constants(char** arguments, int count) {
  struct constants found = {.count = (uint32_t)count};
  size_t packed = 0;
  EXPECT(count <= MOST);
  for (int index = 0; index < count; ++index) {
    char* size = NULL;
    found.ids[index] = (uint32_t)index;
    found.values[index] = strtoull(arguments[index], &size, 0);
    const size_t bytes = strtoul(size + 1, NULL, 0);
    memcpy(found.packed + packed, &found.values[index], bytes);
    packed += bytes;
  }
  return found;
}

static ze_module_handle_t build(const struct host* host, const char* path, int as_program,
                                struct constants* constants) {
  size_t size = 0;
  uint8_t* spirv = read_file(path, &size);
  for (uint32_t index = 0; index < constants->count; ++index) {
    constants->pointers[index] = &constants->values[index];
  }
  const ze_module_constants_t given = {constants->count, constants->ids, constants->pointers};
  const uint8_t* inputs[] = {spirv};
  const ze_module_constants_t* constants_of_inputs[] = {&given};
  const ze_module_program_exp_desc_t program = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
                                                .count = 1,
                                                .inputSizes = &size,
                                                .pInputModules = inputs,
                                                .pConstants = constants_of_inputs};
  ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                  .format = ZE_MODULE_FORMAT_IL_SPIRV};
  if (as_program) {
    description.pNext = &program;
  } else {
    description.inputSize = size;
    description.pInputModule = spirv;
    description.pConstants = &given;
  }
  ze_module_handle_t module = NULL;
  CHECK(zeModuleCreate(host->context, host->device, &description, &module, NULL));
  free(spirv);
  return module;
}

int main(int argc, char** argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: constants LIBRARY MODULE KERNEL build|program|buffer NUMBER:SIZE...\n");
    return 2;
  }
  EXPECT(dlopen(argv[1], RTLD_NOW) != NULL);
  const int as_program = strcmp(argv[4], "program") == 0;
  const int at_build = as_program || strcmp(argv[4], "build") == 0;
  struct constants constants = read_constants(argv + 5, argc - 5);
  const struct host host = open_device();
  ze_module_handle_t module =
      at_build ? build(&host, argv[2], as_program, &constants) : load_module(&host, argv[2]);
  if (getenv("WAIT_FOR_INPUT") != NULL) {
    puts("built");
    fflush(stdout);
    (void)getchar();
  }
  ze_kernel_handle_t kernel = create_kernel(module, argv[3]);
  uint64_t* written = allocate_shared(&host, ITEMS * sizeof(*written));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(written), &written));
  if (!at_build) {
    uint8_t* buffer = allocate_device(&host, sizeof(constants.packed));
    ze_command_list_handle_t list =
        create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    CHECK(zeCommandListAppendMemoryCopy(list, buffer, constants.packed, sizeof(constants.packed),
                                        NULL, 0, NULL));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(buffer), &buffer));
    CHECK(zeCommandListDestroy(list));
  }
  CHECK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  ze_command_list_handle_t list =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const ze_group_count_t groups = {1, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  printf("%llu %llu %llu\n", (unsigned long long)written[0], (unsigned long long)written[1],
         (unsigned long long)written[2]);
  return 0;
}
