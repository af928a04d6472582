/* What the host programs share: checked calls, files, and finding the device. */
#ifndef HOST_H
#define HOST_H

#include <level_zero/ze_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls the API; anything but success ends the program with a line that names the call. */
#define CHECK(call) check_result((call), #call, __FILE__, __LINE__)
/* Ends the program when a condition does not hold. */
#define EXPECT(condition) expect_true((condition), #condition, __FILE__, __LINE__)
/* The call must give exactly this result. */
#define EXPECT_RESULT(expected, call) expect_result((expected), (call), #call, __FILE__, __LINE__)

static inline void check_result(ze_result_t result, const char* call, const char* file, int line) {
  if (result != ZE_RESULT_SUCCESS) {
    fprintf(stderr, "%s:%d: %s = 0x%x\n", file, line, call, (unsigned)result);
    exit(1);
  }
}

static inline void expect_true(int holds, const char* condition, const char* file, int line) {
  if (!holds) {
    fprintf(stderr, "%s:%d: expected %s\n", file, line, condition);
    exit(1);
  }
}

static inline void expect_result(ze_result_t expected, ze_result_t result, const char* call,
                                 const char* file, int line) {
  if (result != expected) {
    fprintf(stderr, "%s:%d: %s = 0x%x, expected 0x%x\n", file, line, call, (unsigned)result,
            (unsigned)expected);
    exit(1);
  }
}

/* The whole file; the caller frees it. */
static inline uint8_t* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t* bytes = malloc(*size);
  if (bytes == NULL || fread(bytes, 1, *size, file) != *size) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

/* The program's only argument; without it, or with more, the program ends with a line that says so. */
static inline const char* only_argument(int argc, char** argv, const char* name) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s %s\n", argv[0], name);
    exit(2);
  }
  return argv[1];
}

struct host {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
};

/* Initialises Level Zero; the first device of the first driver, and a context. */
static inline struct host open_device(void) {
  struct host host;
  CHECK(zeInit(ZE_INIT_FLAG_GPU_ONLY));
  uint32_t count = 1;
  CHECK(zeDriverGet(&count, &host.driver));
  count = 1;
  CHECK(zeDeviceGet(host.driver, &count, &host.device));
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  CHECK(zeContextCreate(host.driver, &description, &host.context));
  return host;
}

/* A module from a file, SPIR-V if it starts as such and a zebin otherwise; a failure prints the
 * build log and ends the program. */
static inline ze_module_handle_t load_module(const struct host* host, const char* path) {
  size_t size = 0;
  uint8_t* binary = read_file(path, &size);
  const int is_spirv = size > 4 && memcmp(binary, "\x03\x02\x23\x07", 4) == 0;
  const ze_module_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = is_spirv ? ZE_MODULE_FORMAT_IL_SPIRV : ZE_MODULE_FORMAT_NATIVE,
      .inputSize = size,
      .pInputModule = binary};
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  const ze_result_t result =
      zeModuleCreate(host->context, host->device, &description, &module, &log);
  if (result != ZE_RESULT_SUCCESS) {
    char text[1024] = "";
    size_t length = sizeof(text);
    zeModuleBuildLogGetString(log, &length, text);
    fprintf(stderr, "%s: zeModuleCreate = 0x%x: %s", path, (unsigned)result, text);
    exit(1);
  }
  CHECK(zeModuleBuildLogDestroy(log));
  free(binary);
  return module;
}

static inline ze_kernel_handle_t create_kernel(ze_module_handle_t module, const char* name) {
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  CHECK(zeKernelCreate(module, &description, &kernel));
  return kernel;
}

static inline void* allocate_device(const struct host* host, size_t size) {
  const ze_device_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void* pointer = NULL;
  CHECK(zeMemAllocDevice(host->context, &description, size, 0, host->device, &pointer));
  return pointer;
}

static inline void* allocate_host(const struct host* host, size_t size) {
  const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void* pointer = NULL;
  CHECK(zeMemAllocHost(host->context, &description, size, 0, &pointer));
  return pointer;
}

static inline void* allocate_shared(const struct host* host, size_t size) {
  const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void* pointer = NULL;
  CHECK(zeMemAllocShared(host->context, &on_device, &on_host, size, 0, host->device, &pointer));
  return pointer;
}

static inline ze_command_queue_handle_t create_queue(const struct host* host) {
  const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                               .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_queue_handle_t queue = NULL;
  CHECK(zeCommandQueueCreate(host->context, host->device, &description, &queue));
  return queue;
}

static inline ze_command_list_handle_t create_list(const struct host* host) {
  const ze_command_list_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list = NULL;
  CHECK(zeCommandListCreate(host->context, host->device, &description, &list));
  return list;
}

static inline ze_command_list_handle_t create_immediate_list(const struct host* host,
                                                             ze_command_queue_mode_t mode) {
  const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                               .mode = mode};
  ze_command_list_handle_t list = NULL;
  CHECK(zeCommandListCreateImmediate(host->context, host->device, &description, &list));
  return list;
}

static inline ze_event_pool_handle_t create_event_pool(const struct host* host, uint32_t count,
                                                       ze_event_pool_flags_t flags) {
  const ze_event_pool_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = flags, .count = count};
  ze_event_pool_handle_t pool = NULL;
  CHECK(zeEventPoolCreate(host->context, &description, 0, NULL, &pool));
  return pool;
}

static inline ze_event_handle_t create_event(ze_event_pool_handle_t pool, uint32_t index) {
  const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                       .index = index,
                                       .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                       .wait = ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t event = NULL;
  CHECK(zeEventCreate(pool, &description, &event));
  return event;
}

#endif
