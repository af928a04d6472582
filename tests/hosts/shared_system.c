/* shared_system VADD HIST WAY: kernels and commands use memory that the program has of its own: of malloc, on the
 * stack, static, mapped. WAY is what it does last: "all" goes on; with "unmapped", "unreadable", "read-only"
 * and "truncated" a kernel uses what the program itself could not, which must be a page fault and no signal. */
#define _GNU_SOURCE
#include "host.h"

#include <sys/mman.h>
#include <unistd.h>

enum { ITEMS = 4000, GROUP = 8, PAGE = 4096 };

static float on_no_heap[ITEMS];

struct kernels {
  ze_kernel_handle_t vadd, hist;
};

static void set_pointer(ze_kernel_handle_t kernel, uint32_t index, const void* pointer) {
  CHECK(zeKernelSetArgumentValue(kernel, index, sizeof(pointer), &pointer));
}

static ze_result_t launch(const struct host* host, ze_kernel_handle_t kernel, uint32_t groups) {
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const ze_group_count_t count = {groups, 1, 1};
  const ze_result_t result = zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL);
  CHECK(zeCommandListDestroy(list));
  return result;
}

static ze_result_t add(const struct host* host, ze_kernel_handle_t vadd, const float* a,
                       const float* b, float* sums, int items) {
  set_pointer(vadd, 0, a);
  set_pointer(vadd, 1, b);
  set_pointer(vadd, 2, sums);
  CHECK(zeKernelSetArgumentValue(vadd, 3, sizeof(items), &items));
  CHECK(zeKernelSetGroupSize(vadd, GROUP, 1, 1));
  return launch(host, vadd, ((uint32_t)items + GROUP - 1) / GROUP);
}

static float* map(size_t bytes) {
  void* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(pages != MAP_FAILED);
  return pages;
}

/* One operand of each kind, and one that an allocation has. */
static void sums(const struct host* host, ze_kernel_handle_t vadd) {
  float on_the_stack[ITEMS];
  float* const on_the_heap = malloc(sizeof(on_the_stack));
  float* const mapped = map(sizeof(on_the_stack));
  float* const allocated = allocate_shared(host, sizeof(on_the_stack));
  for (int i = 0; i < ITEMS; ++i) {
    on_the_stack[i] = (float)i;
    on_no_heap[i] = 0.5f;
  }
  CHECK(add(host, vadd, on_the_stack, on_no_heap, on_the_heap, ITEMS));
  CHECK(add(host, vadd, on_the_heap, on_no_heap, mapped, ITEMS));
  CHECK(add(host, vadd, mapped, on_the_heap, allocated, ITEMS));
  CHECK(add(host, vadd, allocated, on_no_heap, on_the_stack, ITEMS));
  for (int i = 0; i < ITEMS; ++i) {
    EXPECT(mapped[i] == (float)i + 1.0f && on_the_stack[i] == 2.0f * (float)i + 2.0f);
  }
  /* What is mapped somewhere else by now is found there. */
  munmap(mapped, sizeof(on_the_stack));
  float* const again = map(2 * sizeof(on_the_stack));
  CHECK(add(host, vadd, on_the_stack, on_no_heap, again + ITEMS, ITEMS));
  EXPECT(again[ITEMS] == 2.5f && again[2 * ITEMS - 1] == 2.0f * (ITEMS - 1) + 2.5f);
  munmap(again, 2 * sizeof(on_the_stack));
  free(on_the_heap);
  CHECK(zeMemFree(host->context, allocated));
}

/* The last items of a buffer of more than 1 GiB, each doubled in its place. */
static void large(const struct host* host, ze_kernel_handle_t vadd) {
  enum { FIRST = 3 << 26 }; /* floats: 768 MiB, which lie around the address as well */
  const size_t bytes = (size_t)(3 * FIRST) * sizeof(float);
  float* const all = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT(all != MAP_FAILED);
  float* const buffer = all + FIRST;
  const int items = 2 * FIRST;
  for (int i = items - GROUP; i < items; ++i) {
    buffer[i] = (float)i;
  }
  set_pointer(vadd, 0, buffer);
  set_pointer(vadd, 1, buffer);
  set_pointer(vadd, 2, buffer);
  CHECK(zeKernelSetArgumentValue(vadd, 3, sizeof(items), &items));
  CHECK(zeKernelSetGroupSize(vadd, GROUP, 1, 1));
  CHECK(zeKernelSetGlobalOffsetExp(vadd, (uint32_t)(items - GROUP), 0, 0));
  CHECK(launch(host, vadd, 1));
  CHECK(zeKernelSetGlobalOffsetExp(vadd, 0, 0, 0));
  for (int i = items - GROUP; i < items; ++i) {
    EXPECT(buffer[i] == 2.0f * (float)i);
  }
  munmap(all, bytes);
}

static void atomics(const struct host* host, ze_kernel_handle_t hist) {
  uint8_t* const values = malloc(ITEMS);
  uint32_t* const counts = calloc(256, sizeof(*counts));
  const int items = ITEMS;
  for (int i = 0; i < ITEMS; ++i) {
    values[i] = (uint8_t)(i % 200);
  }
  set_pointer(hist, 0, values);
  set_pointer(hist, 1, counts);
  CHECK(zeKernelSetArgumentValue(hist, 2, sizeof(items), &items));
  CHECK(zeKernelSetGroupSize(hist, 64, 1, 1));
  CHECK(launch(host, hist, 16));
  for (int value = 0; value < 256; ++value) {
    EXPECT(counts[value] == (value < 200 ? ITEMS / 200 : 0));
  }
  free(counts);
  free(values);
}

/* Hints, and what is said of such memory. */
static void commands(const struct host* host) {
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  float* const memory = malloc(sizeof(on_no_heap));
  const float pattern = 3.0f;
  CHECK(zeCommandListAppendMemAdvise(list, host->device, memory, sizeof(on_no_heap),
                                     ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  CHECK(zeCommandListAppendMemoryPrefetch(list, memory, sizeof(on_no_heap)));
  CHECK(zeCommandListAppendMemoryFill(list, memory, &pattern, sizeof(pattern), sizeof(on_no_heap),
                                      NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryCopy(list, on_no_heap, memory, sizeof(on_no_heap), NULL, 0, NULL));
  EXPECT(on_no_heap[0] == pattern && on_no_heap[ITEMS - 1] == pattern);
  CHECK(zeContextMakeMemoryResident(host->context, host->device, memory, sizeof(on_no_heap)));
  CHECK(zeContextEvictMemory(host->context, host->device, memory, sizeof(on_no_heap)));
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  ze_device_handle_t device = host->device;
  CHECK(zeMemGetAllocProperties(host->context, memory, &properties, &device));
  EXPECT(properties.type == ZE_MEMORY_TYPE_UNKNOWN && properties.id == 0 && device == NULL);
  CHECK(zeCommandListDestroy(list));
  free(memory);
}

/* A page that is not what it was, with one that stays before it. */
static float* spoilt(const char* way) {
  float* const pages = map(2 * PAGE);
  float* const second = pages + PAGE / sizeof(float);
  if (strcmp(way, "unmapped") == 0) {
    EXPECT(munmap(second, PAGE) == 0);
  } else if (strcmp(way, "unreadable") == 0) {
    EXPECT(mprotect(second, PAGE, PROT_NONE) == 0);
  } else if (strcmp(way, "read-only") == 0) {
    EXPECT(mprotect(second, PAGE, PROT_READ) == 0);
  } else {
    const int file = memfd_create("file", MFD_CLOEXEC);
    EXPECT(ftruncate(file, PAGE) == 0);
    EXPECT(mmap(pages, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == pages);
    close(file);
  }
  return pages;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s VADD HIST WAY\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  CHECK(zeDeviceGetMemoryAccessProperties(host.device, &access));
  EXPECT(access.sharedSystemAllocCapabilities ==
         (ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
          ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC));
  ze_module_handle_t modules[2] = {load_module(&host, argv[1]), load_module(&host, argv[2])};
  const struct kernels kernels = {create_kernel(modules[0], "vadd"),
                                  create_kernel(modules[1], "hist")};
  sums(&host, kernels.vadd);
  large(&host, kernels.vadd);
  atomics(&host, kernels.hist);
  commands(&host);
  if (strcmp(argv[3], "all") != 0) {
    float* const pages = spoilt(argv[3]);
    const int items = PAGE / sizeof(float);
    CHECK(add(&host, kernels.vadd, on_no_heap, on_no_heap, pages, items)); /* the first page is good */
    EXPECT(pages[items - 1] == 6.0f);
    printf("at %p\n", (void*)(pages + items));
    fflush(stdout);
    EXPECT_RESULT(ZE_RESULT_ERROR_DEVICE_LOST,
                  add(&host, kernels.vadd, on_no_heap, on_no_heap, pages + items, items));
  }
  CHECK(zeKernelDestroy(kernels.vadd));
  CHECK(zeKernelDestroy(kernels.hist));
  CHECK(zeModuleDestroy(modules[0]));
  CHECK(zeModuleDestroy(modules[1]));
  CHECK(zeContextDestroy(host.context));
  puts("shared_system: ok");
  return 0;
}
