/* debug_client: a debugger that a script drives; links nothing but the Level Zero loader. Makes one
 * API call for each line of standard input, and answers with one line: the result in hexadecimal,
 * then what the call gave.
 *
 *   device ROOT | tile ROOT NUMBER    chooses what the other commands work with
 *   properties                slices, whether a sub-device, its number, sub-devices, whether to attach
 *   attach PID | detach
 *   abandon                           detaches while a thread waits for an event, for ever; what both
 *                                     calls gave, and a call with the handle afterwards
 *   event TIMEOUT                     type flags, then the fields of the type
 *   acknowledge                       the last module load that was read
 *   interrupt THREAD | resume THREAD
 *   read THREAD SPACE ADDRESS SIZE    bytes as hexadecimal digits
 *   write THREAD SPACE ADDRESS BYTES
 *   registers THREAD TYPE START COUNT SIZE    (SIZE: bytes of one register)
 *   assign THREAD TYPE START COUNT BYTES
 *   sets                              type:count:bytes:flags of every register set
 *   grfs THREAD                       registers of the GRF set of that thread
 *   null CALL                         a call with a null argument; NAME.ARGUMENT
 *   steps THREAD COUNT                single steps; the ip after each, and the seconds it took
 *   drain COUNT                       reads as many events and the CR of each thread; seconds
 * THREAD is slice.subslice.eu.thread, any of them *, or "all". Numbers are C's. */
#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_BYTES = 1 << 24, CONTROL = 6, CONTROL_WORDS = 4 };
enum { SUPPRESS = 1u << 15 };
static const uint32_t kBreakpoint = 1u << 31;

/* Of each root device a slot for itself, and one for each of its tiles. */
enum { MAX_DEVICES = 8, MAX_TILES = 2, SLOTS = MAX_DEVICES * (1 + MAX_TILES) };
static ze_driver_handle_t driver;
static zet_device_handle_t devices[SLOTS];
static zet_debug_session_handle_t sessions[SLOTS];
static unsigned selected;
static zet_debug_event_t last_event;
static zet_debug_event_t last_load;

static uint32_t parse_field(const char** text) {
  if (**text == '*') {
    *text += 1;
    return UINT32_MAX;
  }
  char* end = NULL;
  const unsigned long value = strtoul(*text, &end, 0);
  *text = end;
  return (uint32_t)value;
}

static ze_device_thread_t parse_thread(const char* text) {
  if (strcmp(text, "all") == 0) {
    text = "*.*.*.*";
  }
  uint32_t fields[4] = {0};
  for (int i = 0; i < 4; ++i) {
    fields[i] = parse_field(&text);
    text += *text == '.';
  }
  const ze_device_thread_t thread = {fields[0], fields[1], fields[2], fields[3]};
  return thread;
}

static void print_bytes(const uint8_t* bytes, size_t count) {
  putchar(' ');
  for (size_t i = 0; i < count; ++i) {
    printf("%02x", bytes[i]);
  }
}

static size_t parse_bytes(const char* digits, uint8_t* bytes) {
  const size_t count = strlen(digits) / 2;
  for (size_t i = 0; i < count; ++i) {
    unsigned value = 0;
    sscanf(digits + 2 * i, "%2x", &value);
    bytes[i] = (uint8_t)value;
  }
  return count;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ze_result_t read_event(uint64_t timeout) {
  const ze_result_t result = zetDebugReadEvent(sessions[selected], timeout, &last_event);
  if (result == ZE_RESULT_SUCCESS && last_event.type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD) {
    last_load = last_event;
  }
  return result;
}

static void print_thread(ze_device_thread_t thread) {
  const uint32_t fields[4] = {thread.slice, thread.subslice, thread.eu, thread.thread};
  for (int i = 0; i < 4; ++i) {
    printf(i == 0 ? " " : ".");
    if (fields[i] == UINT32_MAX) {
      putchar('*');
    } else {
      printf("%u", fields[i]);
    }
  }
}

static void print_event(void) {
  printf(" %u %u", (unsigned)last_event.type, (unsigned)last_event.flags);
  switch (last_event.type) {
    case ZET_DEBUG_EVENT_TYPE_MODULE_LOAD:
    case ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD:
      printf(" %#llx %#llx %#llx", (unsigned long long)last_event.info.module.moduleBegin,
             (unsigned long long)last_event.info.module.moduleEnd,
             (unsigned long long)last_event.info.module.load);
      break;
    case ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED:
    case ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE:
      print_thread(last_event.info.thread.thread);
      break;
    case ZET_DEBUG_EVENT_TYPE_PAGE_FAULT:
      printf(" %#llx %#llx %u", (unsigned long long)last_event.info.page_fault.address,
             (unsigned long long)last_event.info.page_fault.mask,
             (unsigned)last_event.info.page_fault.reason);
      break;
    case ZET_DEBUG_EVENT_TYPE_DETACHED:
      printf(" %u", (unsigned)last_event.info.detached.reason);
      break;
    default:
      break;
  }
}

static zet_debug_memory_space_desc_t memory_space(const char* type, const char* address) {
  const zet_debug_memory_space_desc_t space = {
      .stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC,
      .type = (zet_debug_memory_space_type_t)strtoul(type, NULL, 0),
      .address = strtoull(address, NULL, 0)};
  return space;
}

static void register_sets(void) {
  uint32_t count = 0;
  zet_debug_regset_properties_t sets[32];
  ze_result_t result = zetDebugGetRegisterSetProperties(devices[selected], &count, NULL);
  if (result == ZE_RESULT_SUCCESS) {
    result = zetDebugGetRegisterSetProperties(devices[selected], &count, sets);
  }
  printf("%#x", (unsigned)result);
  for (uint32_t i = 0; result == ZE_RESULT_SUCCESS && i < count; ++i) {
    printf(" %u:%u:%u:%u", sets[i].type, sets[i].count, sets[i].byteSize, sets[i].generalFlags);
  }
}

static ze_result_t choose(unsigned root, int tile) {
  uint32_t count = MAX_DEVICES;
  zet_device_handle_t found[MAX_DEVICES];
  ze_result_t result = zeDeviceGet(driver, &count, found);
  if (result != ZE_RESULT_SUCCESS || root >= count) {
    return result != ZE_RESULT_SUCCESS ? result : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  zet_device_handle_t chosen = found[root];
  if (tile >= 0) {
    count = MAX_DEVICES;
    result = zeDeviceGetSubDevices(chosen, &count, found);
    if (result != ZE_RESULT_SUCCESS || (uint32_t)tile >= count) {
      return result != ZE_RESULT_SUCCESS ? result : ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    chosen = found[tile];
  }
  selected = root + (unsigned)(tile + 1) * MAX_DEVICES; /* each has a session of its own */
  devices[selected] = chosen;
  return result;
}

static void properties(void) {
  ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  zet_device_debug_properties_t debug = {.stype = ZET_STRUCTURE_TYPE_DEVICE_DEBUG_PROPERTIES};
  uint32_t tiles = 0;
  ze_result_t result = zeDeviceGetProperties(devices[selected], &device);
  if (result == ZE_RESULT_SUCCESS) {
    result = zetDeviceGetDebugProperties(devices[selected], &debug);
  }
  if (result == ZE_RESULT_SUCCESS) {
    result = zeDeviceGetSubDevices(devices[selected], &tiles, NULL);
  }
  printf("%#x %u %u %u %u %u", (unsigned)result, device.numSlices,
         (device.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE) != 0, device.subdeviceId, tiles,
         (debug.flags & ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH) != 0);
}

/* Not a function of every loader: the driver gives its address. */
static void grfs(ze_device_thread_t thread) {
  typedef ze_result_t (*function)(zet_debug_session_handle_t, ze_device_thread_t, uint32_t*,
                                  zet_debug_regset_properties_t*);
  function query = NULL;
  uint32_t count = 1;
  zet_debug_regset_properties_t set;
  ze_result_t result = zeDriverGetExtensionFunctionAddress(
      driver, "zetDebugGetThreadRegisterSetProperties", (void**)&query);
  if (result == ZE_RESULT_SUCCESS) {
    result = query(sessions[selected], thread, &count, &set);
  }
  printf("%#x %u", (unsigned)result, result == ZE_RESULT_SUCCESS ? set.count : 0);
}

static ze_result_t null_call(const char* name) {
  const zet_debug_config_t config = {1};
  const ze_device_thread_t thread = {0, 0, 0, 0};
  const zet_debug_memory_space_desc_t space = {0};
  zet_debug_session_handle_t made = NULL;
  zet_debug_session_handle_t one = sessions[selected];
  zet_device_handle_t device = devices[selected];
  zet_debug_event_t event = {0};
  uint32_t count = 1;
  char byte = 0;
  const struct {
    const char* name;
    ze_result_t result;
  } calls[] = {
      {"properties.device", zetDeviceGetDebugProperties(NULL, (void*)&event)},
      {"properties.properties", zetDeviceGetDebugProperties(device, NULL)},
      {"attach.device", zetDebugAttach(NULL, &config, &made)},
      {"attach.config", zetDebugAttach(device, NULL, &made)},
      {"attach.session", zetDebugAttach(device, &config, NULL)},
      {"detach.session", zetDebugDetach(NULL)},
      {"event.session", zetDebugReadEvent(NULL, 0, &event)},
      {"event.event", zetDebugReadEvent(one, 0, NULL)},
      {"acknowledge.session", zetDebugAcknowledgeEvent(NULL, &event)},
      {"acknowledge.event", zetDebugAcknowledgeEvent(one, NULL)},
      {"interrupt.session", zetDebugInterrupt(NULL, thread)},
      {"resume.session", zetDebugResume(NULL, thread)},
      {"read.session", zetDebugReadMemory(NULL, thread, &space, 1, &byte)},
      {"read.desc", zetDebugReadMemory(one, thread, NULL, 1, &byte)},
      {"read.buffer", zetDebugReadMemory(one, thread, &space, 1, NULL)},
      {"write.session", zetDebugWriteMemory(NULL, thread, &space, 1, &byte)},
      {"write.desc", zetDebugWriteMemory(one, thread, NULL, 1, &byte)},
      {"write.buffer", zetDebugWriteMemory(one, thread, &space, 1, NULL)},
      {"sets.device", zetDebugGetRegisterSetProperties(NULL, &count, NULL)},
      {"sets.count", zetDebugGetRegisterSetProperties(device, NULL, NULL)},
      {"sets.properties", zetDebugGetRegisterSetProperties(device, &count, NULL)},
      {"registers.session", zetDebugReadRegisters(NULL, thread, CONTROL, 0, 1, &byte)},
      {"registers.values", zetDebugReadRegisters(one, thread, CONTROL, 0, 1, NULL)},
      {"assign.session", zetDebugWriteRegisters(NULL, thread, CONTROL, 0, 1, &byte)},
      {"assign.values", zetDebugWriteRegisters(one, thread, CONTROL, 0, 1, NULL)},
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
    if (strcmp(calls[i].name, name) == 0) {
      return calls[i].result;
    }
  }
  fprintf(stderr, "debug_client: no such call: %s\n", name);
  exit(2);
}

/* One step as debuggers make it: breakpoint at this instruction suppressed, step bit set. */
static ze_result_t step(ze_device_thread_t thread, uint32_t control[CONTROL_WORDS]) {
  control[0] |= SUPPRESS;
  control[1] |= kBreakpoint;
  ze_result_t result = zetDebugWriteRegisters(sessions[selected], thread, CONTROL, 0, 1, control);
  if (result == ZE_RESULT_SUCCESS) {
    result = zetDebugResume(sessions[selected], thread);
  }
  if (result == ZE_RESULT_SUCCESS) {
    result = read_event(5000);
  }
  if (result == ZE_RESULT_SUCCESS) {
    result = zetDebugReadRegisters(sessions[selected], thread, CONTROL, 0, 1, control);
  }
  return result;
}

static void steps(ze_device_thread_t thread, int count, int quiet) {
  uint32_t control[CONTROL_WORDS];
  const double start = seconds();
  ze_result_t result = zetDebugReadRegisters(sessions[selected], thread, CONTROL, 0, 1, control);
  printf("0x0");
  for (int i = 0; result == ZE_RESULT_SUCCESS && i < count; ++i) {
    result = step(thread, control);
    if (!quiet && result == ZE_RESULT_SUCCESS) {
      printf(" %u", control[2]);
    }
  }
  printf(" %#x %.6f", (unsigned)result, seconds() - start);
}

static void drain(int count) {
  const double start = seconds();
  ze_result_t result = ZE_RESULT_SUCCESS;
  int stops = 0;
  for (int i = 0; result == ZE_RESULT_SUCCESS && i < count; ++i) {
    result = read_event(5000);
    if (result == ZE_RESULT_SUCCESS && last_event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED) {
      uint32_t control[CONTROL_WORDS];
      result = zetDebugReadRegisters(sessions[selected], last_event.info.thread.thread, CONTROL, 0, 1,
                                     control);
      ++stops;
    }
  }
  printf("%#x %d %.6f", (unsigned)result, stops, seconds() - start);
}

static void* wait_for_ever(void* result) {
  zet_debug_event_t event;
  *(ze_result_t*)result = zetDebugReadEvent(sessions[selected], UINT64_MAX, &event);
  return NULL;
}

static void abandon(void) {
  enum { LONG_ENOUGH_TO_BLOCK = 50000 }; /* microseconds; a thread that is late finds no session */
  pthread_t waiting;
  ze_result_t read = ZE_RESULT_ERROR_UNKNOWN;
  if (pthread_create(&waiting, NULL, wait_for_ever, &read) != 0) {
    exit(2);
  }
  usleep(LONG_ENOUGH_TO_BLOCK);
  const ze_result_t detached = zetDebugDetach(sessions[selected]);
  pthread_join(waiting, NULL);
  zet_debug_event_t event;
  const ze_result_t after = zetDebugReadEvent(sessions[selected], 0, &event);
  printf("%#x %#x %#x", (unsigned)detached, (unsigned)read, (unsigned)after);
}

/* `words` are the line's, from the verb on; missing ones are empty. */
static void run(char* words[6], uint8_t* bytes) {
  const char* verb = words[0];
  const ze_device_thread_t thread = parse_thread(words[1]);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (strcmp(verb, "attach") == 0) {
    const zet_debug_config_t config = {(uint32_t)strtoul(words[1], NULL, 0)};
    result = zetDebugAttach(devices[selected], &config, &sessions[selected]);
    printf("%#x", (unsigned)result);
  } else if (strcmp(verb, "device") == 0) {
    printf("%#x", (unsigned)choose((unsigned)atoi(words[1]), -1));
  } else if (strcmp(verb, "tile") == 0) {
    printf("%#x", (unsigned)choose((unsigned)atoi(words[1]), atoi(words[2])));
  } else if (strcmp(verb, "properties") == 0) {
    properties();
  } else if (strcmp(verb, "grfs") == 0) {
    grfs(thread);
  } else if (strcmp(verb, "null") == 0) {
    printf("%#x", (unsigned)null_call(words[1]));
  } else if (strcmp(verb, "detach") == 0) {
    printf("%#x", (unsigned)zetDebugDetach(sessions[selected]));
  } else if (strcmp(verb, "abandon") == 0) {
    abandon();
  } else if (strcmp(verb, "event") == 0) {
    result = read_event(strtoull(words[1], NULL, 0));
    printf("%#x", (unsigned)result);
    print_event();
  } else if (strcmp(verb, "acknowledge") == 0) {
    printf("%#x", (unsigned)zetDebugAcknowledgeEvent(sessions[selected], &last_load));
  } else if (strcmp(verb, "interrupt") == 0) {
    printf("%#x", (unsigned)zetDebugInterrupt(sessions[selected], thread));
  } else if (strcmp(verb, "resume") == 0) {
    printf("%#x", (unsigned)zetDebugResume(sessions[selected], thread));
  } else if (strcmp(verb, "read") == 0) {
    const zet_debug_memory_space_desc_t space = memory_space(words[2], words[3]);
    const size_t size = strtoull(words[4], NULL, 0);
    result = zetDebugReadMemory(sessions[selected], thread, &space, size, bytes);
    printf("%#x", (unsigned)result);
    print_bytes(bytes, result == ZE_RESULT_SUCCESS ? size : 0);
  } else if (strcmp(verb, "write") == 0) {
    const zet_debug_memory_space_desc_t space = memory_space(words[2], words[3]);
    const size_t size = parse_bytes(words[4], bytes);
    printf("%#x", (unsigned)zetDebugWriteMemory(sessions[selected], thread, &space, size, bytes));
  } else if (strcmp(verb, "registers") == 0 || strcmp(verb, "assign") == 0) {
    const uint32_t type = (uint32_t)strtoul(words[2], NULL, 0);
    const uint32_t start = (uint32_t)strtoul(words[3], NULL, 0);
    const uint32_t count = (uint32_t)strtoul(words[4], NULL, 0);
    if (strcmp(verb, "assign") == 0) {
      parse_bytes(words[5], bytes);
      result = zetDebugWriteRegisters(sessions[selected], thread, type, start, count, bytes);
      printf("%#x", (unsigned)result);
    } else {
      result = zetDebugReadRegisters(sessions[selected], thread, type, start, count, bytes);
      printf("%#x", (unsigned)result);
      const size_t size = count * strtoul(words[5], NULL, 0);
      print_bytes(bytes, result == ZE_RESULT_SUCCESS ? size : 0);
    }
  } else if (strcmp(verb, "sets") == 0) {
    register_sets();
  } else if (strcmp(verb, "steps") == 0) {
    steps(thread, atoi(words[2]), *words[3] != 0);
  } else if (strcmp(verb, "drain") == 0) {
    drain(atoi(words[1]));
  } else {
    fprintf(stderr, "debug_client: no such command: %s\n", verb);
    exit(2);
  }
  putchar('\n');
  fflush(stdout);
}

int main(void) {
  uint32_t count = 1;
  if (zeInit(0) != ZE_RESULT_SUCCESS || zeDriverGet(&count, &driver) != ZE_RESULT_SUCCESS ||
      choose(0, -1) != ZE_RESULT_SUCCESS) {
    fprintf(stderr, "debug_client: no Level Zero device\n");
    return 1;
  }
  uint8_t* bytes = calloc(MAX_BYTES, 1);
  char* line = NULL;
  size_t capacity = 0;
  while (bytes != NULL && getline(&line, &capacity, stdin) > 0) {
    char* words[6] = {"", "", "", "", "", ""};
    int index = 0;
    for (char* word = strtok(line, " \n"); word != NULL && index < 6; word = strtok(NULL, " \n")) {
      words[index++] = word;
    }
    if (index > 0) {
      run(words, bytes);
    }
  }
  free(line);
  free(bytes);
  return 0;
}
