/* early_exit MODULE MODE: launches a kernel that takes very long and leaves while it runs: "return"
 * from main, "exit" out of an exit handler that calls the API, "quick" by _exit. */
#include <unistd.h>

#include "host.h"

static ze_event_handle_t done;

static void ask_once_more(void) {
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(done));
  puts("exit handler: ok");
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODULE return|exit|quick\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  if (strcmp(argv[2], "exit") == 0) {
    atexit(ask_once_more);
  }
  ze_module_handle_t module = load_module(&host, argv[1]);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  CHECK(zeKernelSetGroupSize(kernel, 1024, 1, 1));
  float* data = allocate_shared(&host, 4096);
  for (uint32_t index = 0; index < 3; ++index) {
    CHECK(zeKernelSetArgumentValue(kernel, index, sizeof(data), &data));
  }
  const int n = 1;
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));
  ze_event_pool_handle_t pool = create_event_pool(&host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  done = create_event(pool, 0);
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  const ze_group_count_t groups = {1 << 20, 1, 1}; /* hours of emulation */
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, 100 * 1000 * 1000));
  puts("early_exit: ok");
  fflush(stdout);
  if (strcmp(argv[2], "quick") == 0) {
    _exit(0);
  }
  return 0;
}
