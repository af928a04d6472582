/* mutable NUMBERS VADD: commands of a closed list are changed, in each of the ways that there are. */
#define _GNU_SOURCE
#include "table.h"

enum { ITEMS = 64, VALUES = 36, DIMENSIONS = 4 }; /* see launch_numbers.cl */
enum { GLOBAL_SIZE = 3, LOCAL_SIZE = 4, GLOBAL_OFFSET = 7 };
enum { ARGUMENTS = 1, COUNT = 2, SIZE = 4, OFFSET = 8, SIGNAL = 16, WAIT = 32, KERNEL = 64 };

struct description {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t flags;
};
struct argument {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t command;
  uint32_t index;
  size_t size;
  const void* value;
};
struct group_count {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t command;
  const ze_group_count_t* groups;
};
struct dimensions {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t command;
  uint32_t x, y, z;
};

typedef ze_result_t (*next_t)(ze_command_list_handle_t, const struct description*, uint64_t*);
typedef ze_result_t (*update_t)(ze_command_list_handle_t, const struct description*);
typedef ze_result_t (*signal_t)(ze_command_list_handle_t, uint64_t, ze_event_handle_t);
typedef ze_result_t (*waits_t)(ze_command_list_handle_t, uint64_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (*next_of_kernels_t)(ze_command_list_handle_t, const struct description*,
                                         uint32_t, ze_kernel_handle_t*, uint64_t*);
typedef ze_result_t (*kernels_t)(ze_command_list_handle_t, uint32_t, uint64_t*,
                                 ze_kernel_handle_t*);
typedef ze_result_t (*is_mutable_t)(ze_command_list_handle_t, ze_bool_t*);

static next_t next_id;
static update_t update;
static signal_t update_signal;
static waits_t update_waits;
static next_of_kernels_t next_id_of_kernels;
static kernels_t update_kernels;
static is_mutable_t is_mutable;
static ze_command_queue_handle_t queue;

static ze_command_list_handle_t create_mutable_list(const struct host* host) {
  const struct description extension = {.stype = (ze_structure_type_t)0x20016};
  const ze_command_list_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                              .pNext = &extension};
  ze_command_list_handle_t list = NULL;
  CHECK(zeCommandListCreate(host->context, host->device, &description, &list));
  return list;
}

static struct description all_of(uint32_t flags) {
  return (struct description){.stype = (ze_structure_type_t)0x20017, .flags = flags};
}

static ze_result_t change(ze_command_list_handle_t list, const void* first) {
  return update(list, &(struct description){.stype = (ze_structure_type_t)0x20018, .pNext = first});
}

static void execute(ze_command_list_handle_t list) {
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

static uint64_t number(const uint64_t* numbers, int which, int dimension) {
  return numbers[which * DIMENSIONS + dimension];
}

static void launches(const struct host* host, ze_module_handle_t module) {
  ze_command_list_handle_t list = create_mutable_list(host);
  ze_kernel_handle_t kernel = create_kernel(module, "launch_numbers");
  uint64_t* numbers[2];
  for (int i = 0; i < 2; ++i) {
    numbers[i] = allocate_shared(host, (size_t)ITEMS * VALUES * sizeof(uint64_t));
    memset(numbers[i], 0, (size_t)ITEMS * VALUES * sizeof(uint64_t));
  }
  const uint32_t asked[2] = {0, 1};
  CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(void*), &numbers[0]));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(uint32_t), &asked[0]));
  uint64_t id = 0;
  uint64_t other = 0;
  struct description what = all_of(0);
  CHECK(next_id(list, &what, &id));
  const ze_group_count_t groups = {2, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  what = all_of(SIZE);
  CHECK(next_id(list, &what, &other));
  CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  EXPECT(id != other);
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeCommandListClose(list));
  execute(list);
  EXPECT(number(numbers[0], GLOBAL_SIZE, 0) == 16 && number(numbers[0], GLOBAL_SIZE, 3) == 16);

  const ze_group_count_t more = {4, 1, 2};
  struct argument first = {(ze_structure_type_t)0x20019, NULL, id, 0, sizeof(void*), &numbers[1]};
  struct argument second = {(ze_structure_type_t)0x20019, &first, id, 1, 4, &asked[1]};
  struct group_count count = {(ze_structure_type_t)0x2001a, &second, id, &more};
  struct dimensions size = {(ze_structure_type_t)0x2001b, &count, id, 4, 2, 1};
  struct dimensions offset = {(ze_structure_type_t)0x2001c, &size, id, 5, 6, 7};
  CHECK(change(list, &offset));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, /* not closed again */
                zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK(zeCommandListClose(list));
  execute(list);
  const uint64_t* changed = numbers[1];
  EXPECT(number(changed, GLOBAL_SIZE, 0) == 16 && number(changed, GLOBAL_SIZE, 1) == 2 &&
         number(changed, GLOBAL_SIZE, 2) == 2 && number(changed, GLOBAL_SIZE, 3) == 2);
  EXPECT(number(changed, LOCAL_SIZE, 0) == 4 && number(changed, LOCAL_SIZE, 1) == 2);
  EXPECT(number(changed, GLOBAL_OFFSET, 0) == 5 && number(changed, GLOBAL_OFFSET, 2) == 7);
  EXPECT(number(numbers[0], GLOBAL_SIZE, 1) == 1); /* as the first launch left it */
  first.value = &numbers[0];
  CHECK(change(list, &first)); /* what was changed before stays */
  CHECK(zeCommandListClose(list));
  execute(list);
  EXPECT(memcmp(numbers[0], numbers[1], (size_t)ITEMS * VALUES * sizeof(uint64_t)) == 0);

  size.command = other; /* a barrier */
  size.pNext = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, change(list, &size));
  count.command = other; /* not what it was asked for */
  count.pNext = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, change(list, &count));
  count.command = 12345;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, change(list, &count));
  first.index = 2;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, change(list, &first));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, next_id(list, &what, &id)); /* closed */
  what = all_of(0x100);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ENUMERATION, next_id(list, &what, &id));
  CHECK(zeCommandListDestroy(list));
  for (int i = 0; i < 2; ++i) {
    CHECK(zeMemFree(host->context, numbers[i]));
  }
}

static void events(const struct host* host) {
  ze_event_pool_handle_t pool = create_event_pool(host, 3, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t events[3];
  for (uint32_t i = 0; i < 3; ++i) {
    events[i] = create_event(pool, i);
  }
  ze_command_list_handle_t list = create_mutable_list(host);
  uint64_t id = 0;
  struct description what = all_of(SIGNAL | WAIT);
  CHECK(next_id(list, &what, &id));
  CHECK(zeCommandListAppendBarrier(list, events[0], 1, &events[1]));
  CHECK(zeCommandListClose(list));
  CHECK(zeEventHostSignal(events[1]));
  execute(list);
  CHECK(zeEventQueryStatus(events[0]));
  CHECK(zeEventHostReset(events[0]));
  CHECK(zeEventHostReset(events[1]));
  CHECK(update_signal(list, id, events[2]));
  CHECK(update_waits(list, id, 1, NULL));
  CHECK(zeCommandListClose(list));
  execute(list);
  CHECK(zeEventQueryStatus(events[2]));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(events[0]));
  CHECK(zeEventHostReset(events[2]));
  CHECK(update_waits(list, id, 1, &events[0]));
  CHECK(update_signal(list, id, NULL));
  CHECK(zeCommandListClose(list));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(queue, 0));
  CHECK(zeEventHostSignal(events[0]));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(events[2]));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_SIZE, update_waits(list, id, 2, events));
  CHECK(zeCommandListDestroy(list));
  for (int i = 0; i < 3; ++i) {
    CHECK(zeEventDestroy(events[i]));
  }
  CHECK(zeEventPoolDestroy(pool));
}

static void kernels(const struct host* host, ze_module_handle_t numbers, ze_module_handle_t vadd) {
  ze_kernel_handle_t choice[2] = {create_kernel(numbers, "launch_numbers"),
                                  create_kernel(vadd, "vadd")};
  ze_kernel_handle_t stranger = create_kernel(vadd, "vadd");
  uint64_t* out = allocate_shared(host, (size_t)ITEMS * VALUES * sizeof(uint64_t));
  float* vectors = allocate_shared(host, 2 * ITEMS * sizeof(float));
  float* sums = vectors + ITEMS;
  for (int item = 0; item < ITEMS; ++item) {
    vectors[item] = (float)item;
  }
  const uint32_t asked = 0;
  CHECK(zeKernelSetGroupSize(choice[0], 8, 1, 1));
  CHECK(zeKernelSetArgumentValue(choice[0], 0, sizeof(void*), &out));
  CHECK(zeKernelSetArgumentValue(choice[0], 1, sizeof(asked), &asked));
  ze_command_list_handle_t list = create_mutable_list(host);
  uint64_t id = 0;
  const struct description what = all_of(KERNEL | ARGUMENTS | SIZE);
  CHECK(next_id_of_kernels(list, &what, 2, choice, &id));
  const ze_group_count_t groups = {ITEMS / 16, 1, 1};
  CHECK(zeCommandListAppendLaunchKernel(list, choice[0], &groups, NULL, 0, NULL));
  CHECK(zeCommandListClose(list));
  execute(list);
  EXPECT_RESULT((ze_result_t)0x7800001c, update_kernels(list, 1, &id, &stranger));
  CHECK(update_kernels(list, 1, &id, &choice[1]));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandListClose(list)); /* has no arguments */
  const int items = ITEMS;
  const void* values[] = {&vectors, &vectors, &sums, &items};
  struct argument arguments[4];
  for (uint32_t i = 0; i < 4; ++i) {
    arguments[i] = (struct argument){(ze_structure_type_t)0x20019, i == 0 ? NULL : &arguments[i - 1],
                                     id, i, i == 3 ? sizeof(int) : sizeof(void*), values[i]};
  }
  const struct dimensions size = {(ze_structure_type_t)0x2001b, &arguments[3], id, 16, 1, 1};
  CHECK(change(list, &size));
  CHECK(zeCommandListClose(list));
  execute(list);
  for (int item = 0; item < ITEMS; ++item) {
    EXPECT(sums[item] == 2.0F * (float)item);
  }
  CHECK(zeCommandListDestroy(list));
  CHECK(zeKernelDestroy(choice[0]));
  CHECK(zeKernelDestroy(choice[1]));
  CHECK(zeKernelDestroy(stranger));
  CHECK(zeMemFree(host->context, out));
  CHECK(zeMemFree(host->context, vectors));
}

static void other_lists(const struct host* host) {
  ze_command_list_handle_t lists[2] = {create_list(host), create_mutable_list(host)};
  for (int i = 0; i < 2; ++i) {
    ze_bool_t answer = 2;
    CHECK(is_mutable(lists[i], &answer));
    EXPECT(answer == i);
  }
  uint64_t id = 0;
  const struct description what = all_of(0);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, next_id(lists[0], &what, &id));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, update_signal(lists[0], 1, NULL));
  CHECK(zeCommandListDestroy(lists[0]));
  CHECK(zeCommandListDestroy(lists[1]));
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s NUMBERS VADD\n", argv[0]);
    return 2;
  }
  const struct host host = open_device();
  const char* table = "zeGetCommandListExpProcAddrTable";
  next_id = (next_t)slot(table, 2);
  update = (update_t)slot(table, 3);
  update_signal = (signal_t)slot(table, 4);
  update_waits = (waits_t)slot(table, 5);
  next_id_of_kernels = (next_of_kernels_t)slot(table, 6);
  update_kernels = (kernels_t)slot(table, 7);
  is_mutable = (is_mutable_t)slot(table, 8);
  queue = create_queue(&host);
  ze_module_handle_t numbers = load_module(&host, argv[1]);
  ze_module_handle_t vadd = load_module(&host, argv[2]);
  launches(&host, numbers);
  events(&host);
  kernels(&host, numbers, vadd);
  other_lists(&host);
  CHECK(zeModuleDestroy(numbers));
  CHECK(zeModuleDestroy(vadd));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeContextDestroy(host.context));
  puts("mutable: ok");
  return 0;
}
