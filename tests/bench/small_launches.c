/* small_launches MODULE BYTES LAUNCHES: allocates BYTES, in parts of at most 64 MiB that are not zero,
 * and launches the kernel mandel of MODULE on 64 work-items and another buffer LAUNCHES times.
 * Writes the nanoseconds of each launch, a line each. */
#include <time.h>

#include "../hosts/host.h"

static void set(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void* value) {
  CHECK(zeKernelSetArgumentValue(kernel, index, size, value));
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char** arguments) {
  EXPECT(count == 4);
  const size_t part = (size_t)64 << 20;
  const struct host host = open_device();
  for (size_t left = strtoull(arguments[2], NULL, 0); left != 0;) {
    const size_t size = left < part ? left : part;
    memset(allocate_shared(&host, size), 1, size);
    left -= size;
  }
  const ze_module_handle_t module = load_module(&host, arguments[1]);
  const ze_kernel_handle_t kernel = create_kernel(module, "mandel");
  const ze_command_list_handle_t list =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const int width = 64;
  const int height = 1;
  const int iterations = 10;
  const float zero = 0.0F; /* a point that never leaves */
  void* image = allocate_shared(&host, (size_t)width * 4);
  set(kernel, 0, sizeof image, &image);
  set(kernel, 1, sizeof width, &width);
  set(kernel, 2, sizeof height, &height);
  set(kernel, 3, sizeof zero, &zero);
  set(kernel, 4, sizeof zero, &zero);
  set(kernel, 5, sizeof zero, &zero);
  set(kernel, 6, sizeof iterations, &iterations);
  CHECK(zeKernelSetGroupSize(kernel, 16, 1, 1));
  const ze_group_count_t groups = {4, 1, 1};
  for (int left = atoi(arguments[3]); left != 0; --left) {
    const long long begin = now();
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    printf("%lld\n", now() - begin);
  }
  return 0;
}
