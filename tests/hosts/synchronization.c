/* synchronization: queues that wait for each other and for the host, events, fences, time-outs and
 * timestamps. */
#include "host.h"

enum { SECOND = 1000000000 };

/* Two queues; the one that is given work first waits for the other, which waits for the host. */
static void queues_wait_for_each_other(const struct host* host) {
  ze_event_pool_handle_t pool = create_event_pool(host, 3, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t go = create_event(pool, 0);
  ze_event_handle_t first = create_event(pool, 1);
  ze_event_handle_t second = create_event(pool, 2);
  int* order = allocate_shared(host, 4 * sizeof(int));
  const int ones = 1;
  const int twos = 2;

  ze_command_queue_handle_t waiting = create_queue(host);
  ze_command_list_handle_t late = create_list(host);
  CHECK(zeCommandListAppendWaitOnEvents(late, 1, &first));
  CHECK(zeCommandListAppendMemoryCopy(late, &order[1], &order[0], sizeof(int), NULL, 0, NULL));
  CHECK(zeCommandListAppendMemoryFill(late, &order[0], &twos, sizeof(int), sizeof(int), second, 0,
                                      NULL));
  CHECK(zeCommandListClose(late));
  CHECK(zeCommandQueueExecuteCommandLists(waiting, 1, &late, NULL));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(waiting, 0));

  ze_command_list_handle_t early = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  CHECK(zeCommandListAppendMemoryFill(early, &order[0], &ones, sizeof(int), sizeof(int), first, 1,
                                      &go));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(first));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventHostSynchronize(second, 20 * 1000 * 1000));
  CHECK(zeEventHostSignal(go));
  CHECK(zeEventHostSynchronize(second, 10ull * SECOND));
  CHECK(zeCommandQueueSynchronize(waiting, 10ull * SECOND));
  EXPECT(order[0] == 2 && order[1] == 1);

  CHECK(zeEventHostReset(second));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(second));
  CHECK(zeCommandListDestroy(late));
  CHECK(zeCommandListDestroy(early));
  CHECK(zeCommandQueueDestroy(waiting));
  CHECK(zeMemFree(host->context, order));
  CHECK(zeEventDestroy(go));
  CHECK(zeEventDestroy(first));
  CHECK(zeEventDestroy(second));
  CHECK(zeEventPoolDestroy(pool));
}

/* A closed list executes as often as it is asked to; reset empties it. */
static void lists_are_reused(const struct host* host) {
  ze_command_queue_handle_t queue = create_queue(host);
  ze_command_list_handle_t list = create_list(host);
  uint64_t* stamps = allocate_shared(host, 2 * sizeof(uint64_t));
  CHECK(
      zeCommandListAppendMemoryCopy(list, &stamps[1], &stamps[0], sizeof(uint64_t), NULL, 0, NULL));
  CHECK(zeCommandListAppendWriteGlobalTimestamp(list, &stamps[0], NULL, 0, NULL));
  CHECK(zeCommandListClose(list));
  for (int round = 0; round < 3; ++round) {
    const uint64_t before = stamps[0];
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    EXPECT(stamps[1] == before && stamps[0] != 0);
  }
  CHECK(zeCommandListReset(list));
  CHECK(zeCommandListClose(list));
  const uint64_t before = stamps[0];
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT(stamps[0] == before);
  CHECK(zeMemFree(host->context, stamps));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandQueueDestroy(queue));
}

static void fences(const struct host* host) {
  ze_command_queue_handle_t queue = create_queue(host);
  ze_event_pool_handle_t pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t go = create_event(pool, 0);
  ze_command_list_handle_t list = create_list(host);
  CHECK(zeCommandListAppendWaitOnEvents(list, 1, &go));
  CHECK(zeCommandListAppendEventReset(list, go));
  CHECK(zeCommandListClose(list));
  const ze_fence_desc_t description = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence = NULL;
  CHECK(zeFenceCreate(queue, &description, &fence));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeFenceHostSynchronize(fence, 1000));
  CHECK(zeEventHostSignal(go));
  CHECK(zeFenceHostSynchronize(fence, 10ull * SECOND));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(go)); /* the list has reset it */
  CHECK(zeFenceReset(fence));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
  CHECK(zeFenceDestroy(fence));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeEventDestroy(go));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeCommandQueueDestroy(queue));
}

static void timestamps(const struct host* host) {
  ze_event_pool_handle_t pool = create_event_pool(
      host, 2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t done = create_event(pool, 0);
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t asked_too = create_event(pool, 1);
  char* memory = allocate_shared(host, 1 << 20);
  ze_kernel_timestamp_result_t* result = allocate_shared(host, sizeof(*result));
  ze_kernel_timestamp_result_t asked;
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryKernelTimestamp(done, &asked));
  CHECK(zeCommandListAppendMemoryFill(list, memory, "x", 1, 1 << 20, done, 0, NULL));
  CHECK(zeCommandListAppendQueryKernelTimestamps(list, 1, &done, result, NULL, asked_too, 1, &done));
  CHECK(zeEventHostSynchronize(asked_too, 10ull * SECOND));
  CHECK(zeEventQueryKernelTimestamp(done, &asked));
  EXPECT(asked.context.kernelEnd != asked.context.kernelStart); /* they wrap */
  EXPECT(memcmp(result, &asked, sizeof(asked)) == 0);
  uint32_t packets = 0;
  CHECK(zeEventQueryTimestampsExp(done, host->device, &packets, NULL));
  EXPECT(packets == 1);
  CHECK(zeEventQueryTimestampsExp(done, host->device, &packets, result));
  EXPECT(memcmp(result, &asked, sizeof(asked)) == 0);
  CHECK(zeCommandListDestroy(list));
  CHECK(zeMemFree(host->context, memory));
  CHECK(zeMemFree(host->context, result));
  CHECK(zeEventDestroy(asked_too));
  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
}

static void events_without_timestamps(const struct host* host) {
  ze_event_pool_handle_t pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t event = create_event(pool, 0);
  CHECK(zeEventHostSignal(event));
  ze_kernel_timestamp_result_t times;
  uint32_t packets = 1;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventQueryKernelTimestamp(event, &times));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeEventQueryTimestampsExp(event, host->device, &packets, &times));
  ze_command_list_handle_t list = create_list(host);
  EXPECT_RESULT(
      ZE_RESULT_ERROR_INVALID_ARGUMENT,
      zeCommandListAppendQueryKernelTimestamps(list, 1, &event, &times, NULL, NULL, 0, NULL));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeEventDestroy(event));
  CHECK(zeEventPoolDestroy(pool));
}

/* Events that count the commands which signal them, and are never reset. */
static void counter_based_events(const struct host* host) {
  struct {
    uint32_t stype;
    const void* next;
    uint32_t flags;
  } counter_based = {0x20014, NULL, 0}; /* ze_event_pool_counter_based_exp_desc_t, of 1.7 */
  const ze_event_pool_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                            .pNext = &counter_based,
                                            .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                            .count = 1};
  ze_event_pool_handle_t pool = NULL;
  CHECK(zeEventPoolCreate(host->context, &description, 0, NULL, &pool));
  ze_event_handle_t event = create_event(pool, 0);
  ze_event_pool_handle_t plain = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t go = create_event(plain, 0);
  ze_command_list_handle_t list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t other = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  int* values = allocate_shared(host, 2 * sizeof(int));
  values[0] = values[1] = 0;

  EXPECT_RESULT(ZE_RESULT_SUCCESS, zeEventQueryStatus(event)); /* there is nothing to wait for */
  for (int round = 1; round <= 3; ++round) {
    CHECK(zeCommandListAppendMemoryFill(list, &values[0], &round, sizeof(int), sizeof(int), event, 1,
                                        &go));
    EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
    EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventHostSynchronize(event, 1000 * 1000));
    CHECK(zeEventHostSignal(go));
    CHECK(zeEventHostSynchronize(event, 10ull * SECOND));
    EXPECT(values[0] == round);
    CHECK(zeEventHostReset(go));
  }
  /* Who waits for a round does not wait for the next one, which another command begins. */
  const int last = 9;
  CHECK(zeCommandListAppendMemoryFill(list, &values[0], &last, sizeof(int), sizeof(int), event, 0,
                                      NULL));
  CHECK(zeCommandListAppendMemoryFill(other, &values[1], &last, sizeof(int), sizeof(int), NULL, 1,
                                      &event));
  CHECK(zeCommandListAppendBarrier(list, event, 1, &go));
  while (*(volatile int*)&values[1] != last) {
  }
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
  CHECK(zeEventHostSignal(go));
  CHECK(zeEventHostSynchronize(event, 10ull * SECOND));

  CHECK(zeCommandListDestroy(list));
  CHECK(zeCommandListDestroy(other));
  CHECK(zeMemFree(host->context, values));
  CHECK(zeEventDestroy(event));
  CHECK(zeEventDestroy(go));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeEventPoolDestroy(plain));
}

int main(void) {
  const struct host host = open_device();
  queues_wait_for_each_other(&host);
  lists_are_reused(&host);
  fences(&host);
  timestamps(&host);
  events_without_timestamps(&host);
  counter_based_events(&host);
  CHECK(zeContextDestroy(host.context));
  puts("synchronization: ok");
  return 0;
}
