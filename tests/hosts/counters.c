/* counters: counter-based events, by the places of their functions in the driver's tables: those of no pool,
 * and one that two processes share. */
#define _GNU_SOURCE
#include "processes.h"
#include "table.h"

#define EVENT(position) slot("zeGetEventProcAddrTable", position)

enum {
  HOST_VISIBLE = 1 << 2,
  OF_PROCESSES = 1 << 3,
  TIMES_OF_DEVICE = 1 << 4,
  TIMES_OF_HOST = 1 << 5,
  OF_GRAPHS = 1 << 6,
};

struct description {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t flags, signal, wait;
};

struct ipc_handle {
  char data[ZE_MAX_IPC_HANDLE_SIZE];
};

static ze_result_t create_counter(const struct host* host, uint32_t flags, ze_event_handle_t* event) {
  typedef ze_result_t (*create_t)(ze_context_handle_t, ze_device_handle_t, const struct description*,
                                  ze_event_handle_t*);
  const struct description description = {.stype = (ze_structure_type_t)0x2003a, .flags = flags};
  return ((create_t)EVENT(11))(host->context, host->device, &description, event);
}

static uint32_t flags_of(ze_event_handle_t event) {
  typedef ze_result_t (*flags_t)(ze_event_handle_t, uint32_t*);
  uint32_t flags = UINT32_MAX;
  CHECK(((flags_t)EVENT(16))(event, &flags));
  return flags;
}

/* A list, and an event at which its next command waits. */
struct gated_list {
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_event_handle_t gate;
};

static struct gated_list create_gated_list(const struct host* host) {
  struct gated_list made;
  made.list = create_immediate_list(host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  made.pool = create_event_pool(host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  made.gate = create_event(made.pool, 0);
  return made;
}

static void destroy_gated_list(struct gated_list list) {
  CHECK(zeEventDestroy(list.gate));
  CHECK(zeEventPoolDestroy(list.pool));
  CHECK(zeCommandListDestroy(list.list));
}

/* An event of no pool: signalled at first, and again with each command that signals it. */
static void alone(const struct host* host) {
  ze_event_handle_t event = NULL;
  CHECK(create_counter(host, HOST_VISIBLE | TIMES_OF_DEVICE, &event));
  CHECK(zeEventQueryStatus(event));
  struct gated_list gated = create_gated_list(host);
  for (int round = 0; round < 3; ++round) {
    CHECK(zeCommandListAppendBarrier(gated.list, event, 1, &gated.gate));
    EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
    CHECK(zeEventHostSignal(gated.gate));
    CHECK(zeEventHostSynchronize(event, UINT64_MAX));
    CHECK(zeEventHostReset(gated.gate));
  }
  ze_kernel_timestamp_result_t times;
  CHECK(zeEventQueryKernelTimestamp(event, &times));
  EXPECT(flags_of(event) == (HOST_VISIBLE | TIMES_OF_DEVICE) && flags_of(gated.gate) == 0);
  ze_event_pool_handle_t none = NULL;
  typedef ze_result_t (*pool_t)(ze_event_handle_t, ze_event_pool_handle_t*);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, ((pool_t)EVENT(8))(event, &none));
  CHECK(zeEventDestroy(event));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ENUMERATION,
                create_counter(host, TIMES_OF_DEVICE | TIMES_OF_HOST, &event));
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, create_counter(host, OF_GRAPHS, &event));
  destroy_gated_list(gated);
}

/* Each process waits for what the other's device signals. */
static void other(int socket) {
  struct ipc_handle handle;
  EXPECT(read(socket, &handle, sizeof(handle)) == sizeof(handle));
  const struct host host = open_device();
  typedef ze_result_t (*open_t)(ze_context_handle_t, struct ipc_handle, ze_event_handle_t*);
  const open_t open_handle = (open_t)EVENT(13);
  ze_event_handle_t event = NULL;
  CHECK(open_handle(host.context, handle, &event));
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
  tell(socket, 'o'); /* opened */
  CHECK(zeEventHostSynchronize(event, UINT64_MAX));
  struct gated_list gated = create_gated_list(&host);
  CHECK(zeCommandListAppendBarrier(gated.list, event, 1, &gated.gate));
  tell(socket, 's'); /* submitted */
  await(socket, 'g');
  CHECK(zeEventHostSignal(gated.gate));
  CHECK(zeEventHostSynchronize(event, UINT64_MAX));
  typedef ze_result_t (*close_t)(ze_event_handle_t);
  CHECK(((close_t)EVENT(14))(event));
  memset(&handle, 0, sizeof(handle));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, open_handle(host.context, handle, &event));
  destroy_gated_list(gated);
}

static void shared(const struct host* host, int socket) {
  typedef ze_result_t (*export_t)(ze_event_handle_t, struct ipc_handle*);
  const export_t export_handle = (export_t)EVENT(12);
  ze_event_handle_t event = NULL;
  struct ipc_handle handle;
  CHECK(create_counter(host, HOST_VISIBLE, &event));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, export_handle(event, &handle));
  CHECK(zeEventDestroy(event));
  CHECK(create_counter(host, HOST_VISIBLE | OF_PROCESSES, &event));
  struct gated_list gated = create_gated_list(host);
  CHECK(zeCommandListAppendBarrier(gated.list, event, 1, &gated.gate));
  CHECK(export_handle(event, &handle));
  EXPECT(write(socket, &handle, sizeof(handle)) == sizeof(handle));
  await(socket, 'o');
  CHECK(zeEventHostSignal(gated.gate));
  await(socket, 's');
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(event)); /* the other's command is to do it */
  tell(socket, 'g');
  CHECK(zeEventHostSynchronize(event, UINT64_MAX));
  CHECK(zeEventDestroy(event));
  destroy_gated_list(gated);
}

int main(void) {
  const struct other_process process = start_other(other);
  const struct host host = open_device();
  alone(&host);
  shared(&host, process.socket);
  end_other(process);
  CHECK(zeContextDestroy(host.context));
  puts("counters: ok");
  return 0;
}
