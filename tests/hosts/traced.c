/* traced MODULE: a launch under a tracer of the loader's tracing layer. The tracer must see each call
 * before and after the driver, with the arguments of the program and what the driver wrote to them. */
#include <level_zero/layers/zel_tracing_api.h>

#include "host.h"

enum { ITEMS = 64 };

struct seen {
  int begun, ended;
  void* memory;               /* what the driver gave */
  ze_kernel_handle_t kernel;  /* that was launched */
};

static void before_allocation(ze_mem_alloc_shared_params_t* params, ze_result_t result, void* seen,
                              void** instance) {
  (void)result;
  ((struct seen*)seen)->begun++;
  *instance = params->ppptr;
}

static void after_allocation(ze_mem_alloc_shared_params_t* params, ze_result_t result, void* seen,
                             void** instance) {
  EXPECT(result == ZE_RESULT_SUCCESS && *instance == params->ppptr);
  ((struct seen*)seen)->ended++;
  ((struct seen*)seen)->memory = **params->ppptr;
}

static void before_launch(ze_command_list_append_launch_kernel_params_t* params, ze_result_t result,
                          void* seen, void** instance) {
  (void)result, (void)instance;
  ((struct seen*)seen)->begun++;
  ((struct seen*)seen)->kernel = *params->phKernel;
}

static void after_launch(ze_command_list_append_launch_kernel_params_t* params, ze_result_t result,
                         void* seen, void** instance) {
  (void)params, (void)instance;
  EXPECT(result == ZE_RESULT_SUCCESS);
  ((struct seen*)seen)->ended++;
}

int main(int count, char** arguments) {
  EXPECT(count == 2);
  const struct host host = open_device();
  struct seen seen = {0};
  const zel_tracer_desc_t description = {.stype = ZEL_STRUCTURE_TYPE_TRACER_EXP_DESC,
                                         .pUserData = &seen};
  zel_tracer_handle_t tracer = NULL;
  CHECK(zelTracerCreate(&description, &tracer));
  zel_core_callbacks_t before = {0}, after = {0};
  before.Mem.pfnAllocSharedCb = before_allocation;
  after.Mem.pfnAllocSharedCb = after_allocation;
  before.CommandList.pfnAppendLaunchKernelCb = before_launch;
  after.CommandList.pfnAppendLaunchKernelCb = after_launch;
  CHECK(zelTracerSetPrologues(tracer, &before));
  CHECK(zelTracerSetEpilogues(tracer, &after));
  CHECK(zelTracerSetEnabled(tracer, 1));

  const ze_module_handle_t module = load_module(&host, arguments[1]);
  const ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  float* values = allocate_shared(&host, ITEMS * sizeof(float));
  EXPECT(seen.begun == 1 && seen.ended == 1 && seen.memory == values);
  const int items = ITEMS;
  for (int i = 0; i < ITEMS; ++i) {
    values[i] = (float)i;
  }
  CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  for (uint32_t argument = 0; argument < 3; ++argument) {
    CHECK(zeKernelSetArgumentValue(kernel, argument, sizeof(values), &values));
  }
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(items), &items));
  const ze_command_list_handle_t list =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const ze_group_count_t groups = {ITEMS / 8, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  EXPECT(seen.begun == 2 && seen.ended == 2 && seen.kernel == kernel);
  for (int i = 0; i < ITEMS; ++i) {
    EXPECT(values[i] == 2 * (float)i);
  }

  CHECK(zelTracerSetEnabled(tracer, 0));
  CHECK(zelTracerDestroy(tracer));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeMemFree(host.context, values));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
  CHECK(zeContextDestroy(host.context));
  EXPECT(seen.begun == 2);
  puts("traced: ok");
}
