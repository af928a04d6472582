/* debuggee MODULE GROUPS GROUP_SIZE ITERATIONS: launches the kernel mandel of MODULE over and over,
 * GROUPS work-groups of GROUP_SIZE work-items, each of which loops ITERATIONS times.
 * Says "ready" when it can be attached to, loads the module after a line of standard input, and
 * says "running" after the first launch. Ends when it is killed. */
#include "../hosts/host.h"

static void set(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void* value) {
  CHECK(zeKernelSetArgumentValue(kernel, index, size, value));
}

static void say(const char* line) {
  puts(line);
  fflush(stdout);
}

int main(int count, char** arguments) {
  EXPECT(count == 5);
  const ze_group_count_t groups = {(uint32_t)atoi(arguments[2]), 1, 1};
  const uint32_t group_size = (uint32_t)atoi(arguments[3]);
  const int iterations = atoi(arguments[4]);
  const int width = (int)(groups.groupCountX * group_size);
  const int height = 1;
  const float zero = 0.0F; /* a point that never leaves */

  const struct host host = open_device();
  say("ready");
  char line[16];
  if (fgets(line, sizeof line, stdin) == NULL) {
    return 0;
  }
  const ze_module_handle_t module = load_module(&host, arguments[1]);
  const ze_kernel_handle_t kernel = create_kernel(module, "mandel");
  const ze_command_list_handle_t list =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  const ze_event_pool_handle_t pool = create_event_pool(&host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  const ze_event_handle_t done = create_event(pool, 0);
  void* image = allocate_shared(&host, (size_t)width * 4);
  set(kernel, 0, sizeof image, &image);
  set(kernel, 1, sizeof width, &width);
  set(kernel, 2, sizeof height, &height);
  set(kernel, 3, sizeof zero, &zero);
  set(kernel, 4, sizeof zero, &zero);
  set(kernel, 5, sizeof zero, &zero);
  set(kernel, 6, sizeof iterations, &iterations);
  CHECK(zeKernelSetGroupSize(kernel, group_size, 1, 1));
  for (int launches = 0;; ++launches) {
    CHECK(zeEventHostReset(done));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
    if (launches == 0) {
      say("running");
    }
    CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  }
}
