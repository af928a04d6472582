/* later MODULE: calls that are newer than the oldest headers, through the driver's own tables, as newer
 * loaders get them. */
#define _GNU_SOURCE
#include "table.h"

#include <time.h>

enum { GROUP = 32, ITEMS = 128 };

#define QUEUE(position) slot("zeGetCommandQueueProcAddrTable", position)
#define LIST(position) slot("zeGetCommandListProcAddrTable", position)

struct group_size {
  uint32_t x, y, z;
};
struct cooperative {
  ze_structure_type_t stype;
  const void* pNext;
  ze_bool_t is_cooperative;
};
struct vector_widths {
  ze_structure_type_t stype;
  void* pNext;
  uint32_t bytes, preferred[7], native[7];
};
struct kernel_allocation {
  ze_structure_type_t stype;
  void* pNext;
  uint64_t base;
  size_t size;
  ze_memory_type_t type;
  uint32_t argument;
};
struct physical_properties {
  ze_structure_type_t stype;
  void* pNext;
  uint64_t id, size;
};

static void queues(const struct host* host) {
  const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                               .flags = ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY,
                                               .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                               .priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW};
  ze_command_queue_handle_t queue = NULL;
  ze_command_list_handle_t list = NULL;
  CHECK(zeCommandQueueCreate(host->context, host->device, &description, &queue));
  CHECK(zeCommandListCreateImmediate(host->context, host->device, &description, &list));
  typedef ze_result_t (*query_t)(void*, uint32_t*);
  const uint32_t expected[] = {description.flags, description.mode, description.priority};
  for (unsigned i = 0; i < 3; ++i) {
    uint32_t of_queue = 99;
    uint32_t of_list = 99;
    CHECK(((query_t)QUEUE(6 + i))(queue, &of_queue)); /* flags, mode, priority */
    CHECK(((query_t)LIST(42 + i))(list, &of_list));
    EXPECT(of_queue == expected[i] && of_list == expected[i]);
    EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, ((query_t)QUEUE(6 + i))(NULL, &of_queue));
    EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, ((query_t)QUEUE(6 + i))(queue, NULL));
  }
  const ze_command_list_desc_t regular = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                          .flags = ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT};
  ze_command_list_handle_t recorded = NULL;
  CHECK(zeCommandListCreate(host->context, host->device, &regular, &recorded));
  uint32_t flags = 0;
  CHECK(((query_t)LIST(41))(recorded, &flags));
  EXPECT(flags == ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, ((query_t)LIST(43))(recorded, &flags));
  CHECK(zeCommandListDestroy(recorded));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
}

static int calls;
static void count_call(void* number) { calls = calls * 10 + *(int*)number; }

static void launches(const struct host* host, ze_module_handle_t module) {
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_kernel_handle_t kernel = create_kernel(module, "vadd");
  float* vectors[3];
  for (int i = 0; i < 3; ++i) {
    vectors[i] = allocate_shared(host, ITEMS * sizeof(float));
    for (int item = 0; item < ITEMS; ++item) {
      vectors[i][item] = (float)item;
    }
  }
  const int items = ITEMS;
  void* values[] = {&vectors[0], &vectors[1], &vectors[2], (void*)&items};
  const ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
  const struct group_size size = {GROUP, 1, 1};
  typedef ze_result_t (*arguments_t)(ze_command_list_handle_t, ze_kernel_handle_t,
                                     ze_group_count_t, struct group_size, void**, const void*,
                                     ze_event_handle_t, uint32_t, ze_event_handle_t*);
  CHECK(((arguments_t)LIST(37))(list, kernel, groups, size, values, NULL, NULL, 0, NULL));
  CHECK(((ze_result_t(*)(ze_device_handle_t))slot("zeGetDeviceProcAddrTable", 22))(host->device));
  for (int item = 0; item < ITEMS; ++item) {
    EXPECT(vectors[2][item] == 2.0F * (float)item);
  }
  const struct cooperative together = {(ze_structure_type_t)0x20036, NULL, 1};
  typedef ze_result_t (*parameters_t)(ze_command_list_handle_t, ze_kernel_handle_t,
                                      const ze_group_count_t*, const void*, ze_event_handle_t,
                                      uint32_t, ze_event_handle_t*);
  const ze_group_count_t many = {1 << 20, 1, 1};
  CHECK(((parameters_t)LIST(36))(list, kernel, &groups, &together, NULL, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                ((parameters_t)LIST(36))(list, kernel, &many, &together, NULL, 0, NULL));
  /* Host functions run between the commands around them. */
  typedef ze_result_t (*host_t)(ze_command_list_handle_t, void (*)(void*), void*, const void*,
                                ze_event_handle_t, uint32_t, ze_event_handle_t*);
  int one = 1;
  int two = 2;
  CHECK(((host_t)LIST(51))(list, count_call, &one, NULL, NULL, 0, NULL));
  CHECK(((host_t)LIST(51))(list, count_call, &two, NULL, NULL, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
                ((host_t)LIST(51))(list, NULL, NULL, NULL, NULL, 0, NULL));
  typedef ze_result_t (*copy_t)(ze_command_list_handle_t, void*, const void*, size_t, const void*,
                                ze_event_handle_t, uint32_t, ze_event_handle_t*);
  typedef ze_result_t (*fill_t)(ze_command_list_handle_t, void*, const void*, size_t, size_t,
                                const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
  CHECK(((fill_t)LIST(39))(list, vectors[0], "z", 1, 16, NULL, NULL, 0, NULL));
  CHECK(((copy_t)LIST(38))(list, vectors[1], vectors[0], 16, NULL, NULL, 0, NULL));
  CHECK(((ze_result_t(*)(ze_command_list_handle_t, uint64_t))LIST(28))(list, UINT64_MAX));
  EXPECT(calls == 12 && memcmp(vectors[1], "zzzzzzzzzzzzzzzz", 16) == 0);

  typedef ze_result_t (*binary_t)(ze_kernel_handle_t, size_t*, uint8_t*);
  size_t bytes = 0;
  CHECK(((binary_t)slot("zeGetKernelExpProcAddrTable", 2))(kernel, &bytes, NULL));
  uint8_t* code = malloc(bytes);
  EXPECT(bytes >= 16 && code != NULL);
  CHECK(((binary_t)slot("zeGetKernelExpProcAddrTable", 2))(kernel, &bytes, code));
  size_t file_bytes = 0;
  CHECK(zeModuleGetNativeBinary(module, &file_bytes, NULL));
  uint8_t* file = malloc(file_bytes);
  CHECK(zeModuleGetNativeBinary(module, &file_bytes, file));
  EXPECT(memmem(file, file_bytes, code, bytes) != NULL);
  free(file);
  free(code);
  struct kernel_allocation allocations[4] = {{.stype = (ze_structure_type_t)0x20039}};
  uint32_t count = 4;
  typedef ze_result_t (*allocations_t)(ze_kernel_handle_t, uint32_t*, struct kernel_allocation*);
  CHECK(((allocations_t)slot("zeGetKernelExpProcAddrTable", 3))(kernel, &count, allocations));
  EXPECT(count == 3 && allocations[2].argument == 2 &&
         allocations[2].base == (uintptr_t)vectors[2] &&
         allocations[2].size == ITEMS * sizeof(float) &&
         allocations[2].type == ZE_MEMORY_TYPE_SHARED);
  CHECK(zeKernelDestroy(kernel));
  for (int i = 0; i < 3; ++i) {
    CHECK(zeMemFree(host->context, vectors[i]));
  }
  CHECK(zeCommandListDestroy(list));
}

struct host_times {
  uint64_t global_start, global_end, context_start, context_end;
};
struct timestamp_results {
  ze_structure_type_t stype;
  void* pNext;
  ze_kernel_timestamp_result_t* of_device;
  struct host_times* of_host;
};

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* An event's times on the host's clock lie between what the host saw, and are the same each time. */
static void timestamps(const struct host* host) {
  const ze_event_pool_flags_t mapped = 1 << 3;
  ze_event_pool_handle_t pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | mapped);
  ze_event_handle_t event = create_event(pool, 0);
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  typedef ze_result_t (*query_t)(ze_event_handle_t, ze_device_handle_t, uint32_t*,
                                 struct timestamp_results*);
  query_t query = (query_t)slot("zeGetEventProcAddrTable", 7);
  uint32_t count = 0;
  EXPECT_RESULT(ZE_RESULT_NOT_READY, query(event, host->device, &count, NULL));
  const uint64_t before = nanoseconds();
  CHECK(zeCommandListAppendBarrier(list, event, 0, NULL));
  const uint64_t after = nanoseconds();
  ze_kernel_timestamp_result_t of_device;
  struct host_times times[2];
  for (int round = 0; round < 2; ++round) {
    struct timestamp_results results = {.of_device = &of_device, .of_host = &times[round]};
    CHECK(query(event, host->device, &count, NULL));
    EXPECT(count == 1);
    CHECK(query(event, host->device, &count, &results));
  }
  enum { TICK = 53 }; /* nanoseconds, rounded up */
  EXPECT(times[0].global_start + TICK >= before && times[0].global_end <= after + TICK);
  EXPECT(times[0].global_start <= times[0].global_end);
  EXPECT(memcmp(&times[0], &times[1], sizeof(times[0])) == 0);
  CHECK(zeCommandListDestroy(list));
  CHECK(zeEventDestroy(event));
  CHECK(zeEventPoolDestroy(pool));
}

static void clones(const struct host* host) {
  ze_command_queue_handle_t queue = create_queue(host);
  ze_command_list_handle_t list = create_list(host);
  ze_command_list_handle_t clone = NULL;
  char* memory = allocate_shared(host, 4);
  typedef ze_result_t (*clone_t)(ze_command_list_handle_t, ze_command_list_handle_t*);
  clone_t create = (clone_t)slot("zeGetCommandListExpProcAddrTable", 0);
  CHECK(zeCommandListAppendMemoryFill(list, memory, "c", 1, 4, NULL, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, create(list, &clone)); /* not closed */
  CHECK(zeCommandListClose(list));
  CHECK(create(list, &clone));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &clone, NULL));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT(memcmp(memory, "cccc", 4) == 0);
  CHECK(zeCommandListDestroy(clone));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeMemFree(host->context, memory));
}

static void queries(const struct host* host) {
  typedef ze_context_handle_t (*context_t)(ze_driver_handle_t);
  context_t get = (context_t)slot("zeGetDriverProcAddrTable", 8);
  EXPECT(get(host->driver) != NULL && get(host->driver) == get(host->driver) && get(NULL) == NULL);
  struct vector_widths widths = {.stype = (ze_structure_type_t)0x20029};
  uint32_t count = 1;
  typedef ze_result_t (*widths_t)(ze_device_handle_t, uint32_t*, struct vector_widths*);
  CHECK(((widths_t)slot("zeGetDeviceProcAddrTable", 21))(host->device, &count, &widths));
  EXPECT(count == 1 && widths.bytes >= 32 && widths.preferred[4] == 1);
  size_t pitch = 0;
  typedef ze_result_t (*pitch_t)(ze_context_handle_t, ze_device_handle_t, size_t, size_t, unsigned,
                                 size_t*);
  pitch_t pitch_of = (pitch_t)slot("zeGetMemProcAddrTable", 11);
  CHECK(pitch_of(host->context, host->device, 100, 10, 4, &pitch));
  EXPECT(pitch >= 400 && pitch % 64 == 0);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                pitch_of(host->context, host->device, 100, 10, 0, &pitch));
  char* memory = allocate_device(host, 100);
  uint32_t atomics = 0;
  typedef ze_result_t (*get_t)(ze_context_handle_t, ze_device_handle_t, const void*, size_t,
                               uint32_t*);
  typedef ze_result_t (*set_t)(ze_context_handle_t, ze_device_handle_t, const void*, size_t,
                               uint32_t);
  get_t get_atomics = (get_t)slot("zeGetMemExpProcAddrTable", 3);
  set_t set_atomics = (set_t)slot("zeGetMemExpProcAddrTable", 2);
  CHECK(get_atomics(host->context, host->device, memory, 100, &atomics));
  EXPECT(atomics == (1 << 2 | 1 << 4));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                set_atomics(host->context, host->device, memory, 100, 1 << 6));
  CHECK(set_atomics(host->context, host->device, memory, 100, 1 << 3));
  CHECK(get_atomics(host->context, host->device, memory + 5, 10, &atomics));
  EXPECT(atomics == 1 << 3);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ENUMERATION,
                set_atomics(host->context, host->device, memory, 100, 1 << 7));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                get_atomics(host->context, host->device, &atomics, 4, &atomics));
  CHECK(zeMemFree(host->context, memory));
  ze_physical_mem_desc_t description = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC,
                                        .size = 1 << 16};
  ze_physical_mem_handle_t physical = NULL;
  CHECK(zePhysicalMemCreate(host->context, host->device, &description, &physical));
  struct physical_properties properties = {.stype = (ze_structure_type_t)0x20040};
  typedef ze_result_t (*physical_t)(ze_context_handle_t, ze_physical_mem_handle_t,
                                    struct physical_properties*);
  CHECK(((physical_t)slot("zeGetPhysicalMemProcAddrTable", 2))(host->context, physical,
                                                               &properties));
  EXPECT(properties.size == 1 << 16 && properties.id != 0);
  CHECK(zePhysicalMemDestroy(host->context, physical));
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODULE\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  ze_module_handle_t module = load_module(&host, argv[1]);
  queues(&host);
  launches(&host, module);
  clones(&host);
  timestamps(&host);
  queries(&host);
  CHECK(zeModuleDestroy(module));
  CHECK(zeContextDestroy(host.context));
  puts("later: ok");
  return 0;
}
