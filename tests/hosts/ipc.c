/* ipc: two processes share an event pool, and memory of the device: by the bytes of a handle alone, and with the
 * descriptor sent beside them, as Intel's driver wants it. */
#define _GNU_SOURCE
#include "processes.h"

enum { SIZE = 10000 };

static void send_handle(int socket, const ze_ipc_mem_handle_t* handle) {
  int descriptor = 0;
  memcpy(&descriptor, handle->data, sizeof(descriptor));
  send_with_descriptor(socket, handle, sizeof(*handle), descriptor);
}

static void receive_handle(int socket, ze_ipc_mem_handle_t* handle, int with_descriptor) {
  const int descriptor = receive_with_descriptor(socket, handle, sizeof(*handle));
  if (with_descriptor) {
    memcpy(handle->data, &descriptor, sizeof(descriptor));
  }
}

/* Adds one to every byte of what the other process shares. */
static void child(int socket) {
  const struct host host = open_device();
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  for (int with_descriptor = 0; with_descriptor < 2; ++with_descriptor) {
    ze_ipc_mem_handle_t handle;
    receive_handle(socket, &handle, with_descriptor);
    char* memory = NULL;
    CHECK(zeMemOpenIpcHandle(host.context, host.device, handle, 0, (void**)&memory));
    char own[SIZE];
    CHECK(zeCommandListAppendMemoryCopy(list, own, memory, SIZE, NULL, 0, NULL));
    for (int i = 0; i < SIZE; ++i) {
      ++own[i];
    }
    CHECK(zeCommandListAppendMemoryCopy(list, memory, own, SIZE, NULL, 0, NULL));
    CHECK(zeMemCloseIpcHandle(host.context, memory));
    tell(socket, 'x');
  }
  /* An event pool: the host waits for one event here, and a command of the device signals another. */
  ze_ipc_mem_handle_t bytes;
  ze_ipc_event_pool_handle_t of_pool;
  receive_handle(socket, &bytes, 0);
  memcpy(of_pool.data, bytes.data, sizeof(of_pool.data));
  ze_event_pool_handle_t pool = NULL;
  CHECK(zeEventPoolOpenIpcHandle(host.context, of_pool, &pool));
  ze_event_handle_t asked = create_event(pool, 0);
  ze_event_handle_t answered = create_event(pool, 1);
  CHECK(zeEventHostSynchronize(asked, UINT64_MAX));
  CHECK(zeCommandListAppendSignalEvent(list, answered));
  CHECK(zeEventDestroy(asked));
  CHECK(zeEventDestroy(answered));
  CHECK(zeEventPoolCloseIpcHandle(pool));
  ze_ipc_mem_handle_t wrong = {.data = "no handle"};
  void* none = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeMemOpenIpcHandle(host.context, host.device, wrong, 0, &none));
  CHECK(zeCommandListDestroy(list));
}

int main(void) {
  const struct other_process process = start_other(child);
  const struct host host = open_device();
  ze_command_list_handle_t list = create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  char* memory = allocate_device(&host, SIZE);
  CHECK(zeCommandListAppendMemoryFill(list, memory, "a", 1, SIZE, NULL, 0, NULL));
  ze_ipc_mem_handle_t handle;
  CHECK(zeMemGetIpcHandle(host.context, memory, &handle));
  for (int round = 0; round < 2; ++round) {
    char own[SIZE];
    send_handle(process.socket, &handle);
    await(process.socket, 'x');
    CHECK(zeCommandListAppendMemoryCopy(list, own, memory, SIZE, NULL, 0, NULL));
    EXPECT(own[0] == 'b' + round && own[SIZE - 1] == 'b' + round);
  }
  ze_event_pool_handle_t pool =
      create_event_pool(&host, 3, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC);
  ze_event_handle_t asked = create_event(pool, 0);
  ze_event_handle_t answered = create_event(pool, 1);
  ze_event_handle_t filled = create_event(pool, 2);
  ze_ipc_event_pool_handle_t of_pool;
  CHECK(zeEventPoolGetIpcHandle(pool, &of_pool));
  memcpy(handle.data, of_pool.data, sizeof(handle.data));
  send_handle(process.socket, &handle);
  EXPECT_RESULT(ZE_RESULT_NOT_READY, zeEventQueryStatus(answered));
  ze_command_list_handle_t waiting =
      create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  CHECK(zeCommandListAppendMemoryFill(waiting, memory, "z", 1, 1, filled, 1, &answered));
  CHECK(zeCommandListAppendSignalEvent(waiting, answered));
  CHECK(zeEventHostSignal(asked));
  CHECK(zeEventHostSynchronize(answered, UINT64_MAX));
  ze_event_pool_handle_t plain = create_event_pool(&host, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolGetIpcHandle(plain, &of_pool));
  CHECK(zeEventPoolDestroy(plain));
  CHECK(zeEventHostSynchronize(filled, UINT64_MAX)); /* before the memory is freed */
  CHECK(zeEventDestroy(filled));
  CHECK(zeCommandListDestroy(waiting));
  CHECK(zeEventDestroy(asked));
  CHECK(zeEventDestroy(answered));
  CHECK(zeEventPoolDestroy(pool));
  end_other(process);
  CHECK(zeMemFree(host.context, memory));
  int on_stack = 0;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeMemGetIpcHandle(host.context, &on_stack, &handle));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeContextDestroy(host.context));
  puts("ipc: ok");
  return 0;
}
