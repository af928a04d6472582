/* first_kernel MODULE [LAUNCHES]: from zeInit to the end of a first kernel that does nothing, then LAUNCHES
 * more on an immediate list, one after the other, and as many of which only the last is waited for.
 * Writes nanoseconds of processor time, of all threads: until the first has ended, and of one launch in
 * each of the two ways. Where there is no driver, it writes what the loader took to find that out. */
#include <time.h>

#include "../hosts/host.h"

static uint64_t processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s MODULE [LAUNCHES]\n", argv[0]);
    return 2;
  }
  if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS) {
    printf("%llu\n", (unsigned long long)processor_time());
    return 0;
  }
  const struct host host = open_device();
  ze_kernel_handle_t kernel = create_kernel(load_module(&host, argv[1]), "vadd");
  void* none = NULL;
  const int n = 0; /* it ends at once */
  CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(zeKernelSetArgumentValue(kernel, i, sizeof(none), &none));
  }
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n));
  const ze_group_count_t groups = {1, 1, 1};
  ze_command_list_handle_t waits = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListAppendLaunchKernel(waits, kernel, &groups, NULL, 0, NULL));
  const uint64_t first = processor_time();

  const int launches = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < launches; ++i) {
    CHECK(zeCommandListAppendLaunchKernel(waits, kernel, &groups, NULL, 0, NULL));
  }
  const uint64_t waited = processor_time();
  ze_command_list_handle_t goes_on =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t done = create_event(create_event_pool(&host, 1, 0), 0);
  for (int i = 0; i < launches; ++i) {
    CHECK(zeCommandListAppendLaunchKernel(goes_on, kernel, &groups, i == launches - 1 ? done : NULL,
                                          0, NULL));
  }
  CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  const uint64_t all = processor_time();
  printf("%llu %llu %llu\n", (unsigned long long)first,
         (unsigned long long)((waited - first) / (unsigned)launches),
         (unsigned long long)((all - waited) / (unsigned)launches));
  return 0;
}
