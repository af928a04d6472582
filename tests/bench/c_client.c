/* c_client PID OFFSET THREADS registers REPETITIONS
 * c_client PID OFFSET THREADS steps REPETITIONS COUNT
 * c_client PID OFFSET THREADS stops REPETITIONS
 * c_client PID OFFSET THREADS attach REPETITIONS
 * c_client PID OFFSET THREADS writes REPETITIONS COUNT
 * c_client PID OFFSET THREADS reads REPETITIONS COUNT
 * The debugger that zedbg is compared with: the calls that a debugger cannot do without, and
 * nothing else. Attaches to PID, puts a breakpoint at the instruction OFFSET bytes after the module's
 * load address, and lets the program run until THREADS threads have stopped there.
 *   registers   reads all register sets of each of them, REPETITIONS times over a new launch
 *   stops       from the first stop's event until all have stopped, the rest of the device is
 *               interrupted, and cr, ce and r0 of each are read: what the report of a stop needs
 *   attach      the same from before the attach to a program that runs, which is interrupted; once.
 *               "opened" is how long that takes from before Level Zero is initialised
 *   steps       lets one of them execute COUNT instructions, one by one, REPETITIONS times
 *   writes      writes a byte of code, COUNT times, REPETITIONS times
 *   reads       reads cr of one of them, COUNT times, REPETITIONS times
 * Says "attached" once the program may load its module, then "NAME SECONDS" for each repetition:
 * "stop" from the first stop's event to the last one's, and the name of the measurement. */
#include "../hosts/host.h"

#include <level_zero/zet_api.h>
#include <time.h>

enum { GENERAL = 1, CHANNEL_ENABLE = 4, CONTROL = 6, CONTROL_BYTES = 16, GENERAL_BYTES = 64 };
enum { MAX_SETS = 32, MAX_SET_BYTES = 1 << 16 };
enum { SUPPRESS_BREAKPOINT = 1 << 15 };
/* Of the first word of an instruction: whether it is compacted, and its breakpoint bits. */
static const uint32_t kCompacted = 1u << 29;
static const uint32_t kBreakpointNative = 1u << 30;
static const uint32_t kBreakpointCompacted = 1u << 7;
/* Of cr0.1. */
static const uint32_t kBreakpoint = 1u << 31;
static const ze_device_thread_t kAllThreads = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

struct client {
  zet_debug_session_handle_t session;
  uint32_t set_count;
  zet_debug_regset_properties_t sets[MAX_SETS];
  uint64_t offset;
  uint64_t load; /* of the module */
  double opened; /* when Level Zero was initialised */
  double begin; /* of the attach */
  size_t thread_count;
  ze_device_thread_t* threads; /* those that stopped */
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_seconds(const char* name, double value) {
  printf("%s %.9f\n", name, value);
  fflush(stdout);
}

static void insert_breakpoint(const struct client* client, uint64_t address) {
  const zet_debug_memory_space_desc_t space = {
      .stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC,
      .type = ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT,
      .address = address};
  uint32_t word = 0;
  CHECK(zetDebugReadMemory(client->session, kAllThreads, &space, sizeof word, &word));
  word |= (word & kCompacted) != 0 ? kBreakpointCompacted : kBreakpointNative;
  CHECK(zetDebugWriteMemory(client->session, kAllThreads, &space, sizeof word, &word));
}

/* The next THREAD_STOPPED event's thread; modules get their breakpoint on the way. */
static ze_device_thread_t next_stop(struct client* client) {
  for (;;) {
    zet_debug_event_t event;
    const ze_result_t result = zetDebugReadEvent(client->session, 60000, &event);
    if (result == ZE_RESULT_NOT_READY) {
      continue;
    }
    check_result(result, "zetDebugReadEvent", __FILE__, __LINE__);
    EXPECT(event.type != ZET_DEBUG_EVENT_TYPE_DETACHED);
    if (event.type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD) {
      client->load = event.info.module.load;
      insert_breakpoint(client, client->load + client->offset);
    }
    if ((event.flags & ZET_DEBUG_EVENT_FLAG_NEED_ACK) != 0) {
      CHECK(zetDebugAcknowledgeEvent(client->session, &event));
    }
    if (event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED) {
      return event.info.thread.thread;
    }
  }
}

static void wait_for_stops(struct client* client) {
  client->threads[0] = next_stop(client);
  const double start = seconds();
  for (size_t i = 1; i < client->thread_count; ++i) {
    client->threads[i] = next_stop(client);
  }
  print_seconds("stop", seconds() - start);
}

static void go_on(const struct client* client) {
  for (size_t i = 0; i < client->thread_count; ++i) {
    uint32_t control[CONTROL_BYTES / 4];
    CHECK(zetDebugReadRegisters(client->session, client->threads[i], CONTROL, 0, 1, control));
    control[0] |= SUPPRESS_BREAKPOINT;
    control[1] &= ~kBreakpoint;
    CHECK(zetDebugWriteRegisters(client->session, client->threads[i], CONTROL, 0, 1, control));
  }
  CHECK(zetDebugResume(client->session, kAllThreads));
}

static void read_all_registers(const struct client* client) {
  static uint8_t bytes[MAX_SET_BYTES];
  for (size_t i = 0; i < client->thread_count; ++i) {
    for (uint32_t set = 0; set < client->set_count; ++set) {
      CHECK(zetDebugReadRegisters(client->session, client->threads[i], client->sets[set].type, 0,
                                  client->sets[set].count, bytes));
    }
  }
}

static void measure_registers(struct client* client, int repetitions) {
  for (int i = 0; i < repetitions; ++i) {
    wait_for_stops(client);
    const double start = seconds();
    read_all_registers(client);
    print_seconds("registers", seconds() - start);
    go_on(client);
  }
}

/* Stops what still runs. The answer says that something did, but not what, or that nothing did. */
static void interrupt_rest(const struct client* client) {
  const ze_result_t result = zetDebugInterrupt(client->session, kAllThreads);
  if (result == ZE_RESULT_ERROR_NOT_AVAILABLE) {
    return;
  }
  check_result(result, "zetDebugInterrupt", __FILE__, __LINE__);
  for (;;) {
    zet_debug_event_t event;
    CHECK(zetDebugReadEvent(client->session, 60000, &event));
    if (event.type == ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE ||
        (event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED &&
         event.info.thread.thread.slice == UINT32_MAX)) {
      return;
    }
  }
}

/* The threads of the device that are stopped: those whose cr can be read. */
static void find_stopped(struct client* client, const ze_device_properties_t* device) {
  size_t known = 0;
  ze_device_thread_t at;
  for (at.slice = 0; at.slice < device->numSlices; ++at.slice) {
    for (at.subslice = 0; at.subslice < device->numSubslicesPerSlice; ++at.subslice) {
      for (at.eu = 0; at.eu < device->numEUsPerSubslice; ++at.eu) {
        for (at.thread = 0; at.thread < device->numThreadsPerEU; ++at.thread) {
          uint32_t control[CONTROL_BYTES / 4];
          if (zetDebugReadRegisters(client->session, at, CONTROL, 0, 1, control) ==
                  ZE_RESULT_SUCCESS &&
              known < client->thread_count) {
            client->threads[known++] = at;
          }
        }
      }
    }
  }
  EXPECT(known == client->thread_count);
}

static void read_places(const struct client* client) {
  for (size_t i = 0; i < client->thread_count; ++i) {
    uint32_t control[CONTROL_BYTES / 4];
    uint32_t enabled = 0;
    uint8_t header[GENERAL_BYTES];
    const ze_device_thread_t thread = client->threads[i];
    CHECK(zetDebugReadRegisters(client->session, thread, CONTROL, 0, 1, control));
    CHECK(zetDebugReadRegisters(client->session, thread, CHANNEL_ENABLE, 0, 1, &enabled));
    CHECK(zetDebugReadRegisters(client->session, thread, GENERAL, 0, 1, header));
  }
}

static void measure_stops(struct client* client, int repetitions) {
  for (int i = 0; i < repetitions; ++i) {
    client->threads[0] = next_stop(client);
    const double start = seconds();
    for (size_t known = 1; known < client->thread_count; ++known) {
      client->threads[known] = next_stop(client);
    }
    interrupt_rest(client);
    read_places(client);
    print_seconds("stops", seconds() - start);
    go_on(client);
  }
}

static void measure_attach(struct client* client, ze_device_handle_t handle) {
  ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK(zeDeviceGetProperties(handle, &device));
  interrupt_rest(client);
  find_stopped(client, &device);
  read_places(client);
  const double end = seconds();
  print_seconds("attach", end - client->begin);
  print_seconds("opened", end - client->opened);
  go_on(client);
}

static void step(struct client* client, uint32_t control[CONTROL_BYTES / 4]) {
  const ze_device_thread_t thread = client->threads[0];
  if (!(control[0] & SUPPRESS_BREAKPOINT) || !(control[1] & kBreakpoint)) {
    control[0] |= SUPPRESS_BREAKPOINT;
    control[1] |= kBreakpoint;
    CHECK(zetDebugWriteRegisters(client->session, thread, CONTROL, 0, 1, control));
  }
  CHECK(zetDebugResume(client->session, thread));
  next_stop(client);
  CHECK(zetDebugReadRegisters(client->session, thread, CONTROL, 0, 1, control));
}

static void measure_steps(struct client* client, int repetitions, int count) {
  uint32_t control[CONTROL_BYTES / 4];
  wait_for_stops(client);
  CHECK(zetDebugReadRegisters(client->session, client->threads[0], CONTROL, 0, 1, control));
  for (int i = 0; i < repetitions; ++i) {
    const double start = seconds();
    for (int done = 0; done < count; ++done) {
      step(client, control);
    }
    print_seconds("steps", seconds() - start);
  }
}

static void measure_writes(struct client* client, int repetitions, int count) {
  uint8_t byte = 0;
  wait_for_stops(client);
  const zet_debug_memory_space_desc_t space = {
      .stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC,
      .type = ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT,
      .address = client->load + client->offset};
  CHECK(zetDebugReadMemory(client->session, kAllThreads, &space, 1, &byte));
  for (int i = 0; i < repetitions; ++i) {
    const double start = seconds();
    for (int done = 0; done < count; ++done) {
      CHECK(zetDebugWriteMemory(client->session, kAllThreads, &space, 1, &byte));
    }
    print_seconds("writes", seconds() - start);
  }
}

static void measure_reads(struct client* client, int repetitions, int count) {
  uint32_t control[CONTROL_BYTES / 4];
  wait_for_stops(client);
  for (int i = 0; i < repetitions; ++i) {
    const double start = seconds();
    for (int done = 0; done < count; ++done) {
      CHECK(zetDebugReadRegisters(client->session, client->threads[0], CONTROL, 0, 1, control));
    }
    print_seconds("reads", seconds() - start);
  }
}

/* What zedbg reads for the value of a variable in all lanes: the general registers of each thread, and
 * the memory of its lanes. `path`: a line "offset distance", where in the registers of a thread the
 * address is that the memory of its lanes lies `distance` bytes after; and a line
 * "slice subslice eu thread bytes" for each thread. */
static void measure_values(struct client* client, int repetitions, const char* path) {
  struct place {
    ze_device_thread_t thread;
    size_t size;
  };
  struct place* places = calloc(client->thread_count, sizeof *places);
  FILE* file = fopen(path, "r");
  EXPECT(places != NULL && file != NULL);
  size_t offset = 0;
  size_t distance = 0;
  EXPECT(fscanf(file, "%zu %zu", &offset, &distance) == 2);
  size_t largest = 0;
  for (size_t i = 0; i < client->thread_count; ++i) {
    struct place* at = &places[i];
    EXPECT(fscanf(file, "%u %u %u %u %zu", &at->thread.slice, &at->thread.subslice, &at->thread.eu,
                  &at->thread.thread, &at->size) == 5);
    largest = at->size > largest ? at->size : largest;
  }
  fclose(file);
  const zet_debug_regset_properties_t* general = NULL;
  for (uint32_t i = 0; i < client->set_count; ++i) {
    general = client->sets[i].type == GENERAL ? &client->sets[i] : general;
  }
  EXPECT(general != NULL);
  const size_t register_bytes = (size_t)general->count * general->byteSize;
  EXPECT(offset + sizeof(uint64_t) <= register_bytes);
  uint8_t* registers = malloc(register_bytes);
  uint8_t* values = malloc(largest);
  EXPECT(registers != NULL && values != NULL);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    wait_for_stops(client);
    zet_debug_memory_space_desc_t space = {.stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC,
                                           .type = ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT};
    const double start = seconds();
    for (size_t i = 0; i < client->thread_count; ++i) {
      const struct place* at = &places[i];
      CHECK(zetDebugReadRegisters(client->session, at->thread, GENERAL, 0, general->count,
                                  registers));
      uint64_t base = 0;
      memcpy(&base, registers + offset, sizeof base);
      space.address = base + distance;
      CHECK(zetDebugReadMemory(client->session, at->thread, &space, at->size, values));
    }
    print_seconds("values", seconds() - start);
    go_on(client);
  }
  free(values);
  free(registers);
  free(places);
}

static struct client attach(ze_device_handle_t device, char** arguments) {
  struct client client = {.offset = strtoull(arguments[2], NULL, 0),
                          .thread_count = (size_t)atoi(arguments[3])};
  client.threads = calloc(client.thread_count, sizeof *client.threads);
  EXPECT(client.threads != NULL);
  client.set_count = MAX_SETS;
  for (int i = 0; i < MAX_SETS; ++i) {
    client.sets[i].stype = ZET_STRUCTURE_TYPE_DEBUG_REGSET_PROPERTIES;
  }
  CHECK(zetDebugGetRegisterSetProperties(device, &client.set_count, client.sets));
  for (uint32_t i = 0; i < client.set_count; ++i) {
    EXPECT((size_t)client.sets[i].count * client.sets[i].byteSize <= MAX_SET_BYTES);
  }
  client.begin = seconds();
  const zet_debug_config_t config = {(uint32_t)atoi(arguments[1])};
  CHECK(zetDebugAttach(device, &config, &client.session));
  return client;
}

int main(int count, char** arguments) {
  EXPECT(count == 6 || count == 7);
  const double opened = seconds();
  const struct host host = open_device();
  struct client client = attach(host.device, arguments);
  client.opened = opened;
  puts("attached");
  fflush(stdout);
  const int repetitions = atoi(arguments[5]);
  const char* measurement = arguments[4];
  const int times = count == 7 ? atoi(arguments[6]) : 0;  // "values" has a path there
  if (strcmp(measurement, "registers") == 0) {
    measure_registers(&client, repetitions);
  } else if (strcmp(measurement, "stops") == 0) {
    measure_stops(&client, repetitions);
  } else if (strcmp(measurement, "attach") == 0) {
    measure_attach(&client, host.device);
  } else if (strcmp(measurement, "values") == 0) {
    measure_values(&client, repetitions, arguments[6]);
  } else if (strcmp(measurement, "steps") == 0) {
    measure_steps(&client, repetitions, times);
  } else if (strcmp(measurement, "writes") == 0) {
    measure_writes(&client, repetitions, times);
  } else {
    EXPECT(strcmp(measurement, "reads") == 0);
    measure_reads(&client, repetitions, times);
  }
  free(client.threads);
  CHECK(zetDebugDetach(client.session));
  return 0;
}
