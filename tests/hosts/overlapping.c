/* overlapping MODULE: a kernel gets two pointers into the same memory, the second one element after the
 * first. */
#include "host.h"

enum { ITEMS = 16 };

int main(int argc, char** argv) {
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, only_argument(argc, argv, "MODULE"));
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_kernel_handle_t kernel = create_kernel(module, "overlapping");
  int* in = allocate_shared(&host, (ITEMS + 1) * sizeof(int));
  for (int i = 0; i <= ITEMS; ++i) {
    in[i] = 10 * i;
  }
  int* out = in + 1;
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(in), &in));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(out), &out));
  CHECK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  const ze_group_count_t groups = {1, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  for (int i = 1; i <= ITEMS; ++i) {
    EXPECT(in[i] == 10 * (i - 1) + 3);
  }
  CHECK(zeMemFree(host.context, in));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeModuleDestroy(module));
  CHECK(zeContextDestroy(host.context));
  puts("overlapping: ok");
  return 0;
}
