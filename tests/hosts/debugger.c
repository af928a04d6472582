/* debugger PID: attaches to a waiting vadd, prints each event, puts a breakpoint on the first
 * instruction of the module's kernel, lets every thread that hits it go on, until the process is
 * gone. */
#include <level_zero/zet_api.h>

#include "host.h"

/* Register sets, in the numbering of Intel's debuggers. */
enum { CR = 6, SBA = 11 };
enum { BREAKPOINT_NATIVE = 30, COMPACTED = 29, BREAKPOINT_COMPACT = 7 };
enum { CR_DWORDS = 4, SUPPRESS = 1u << 15, SBA_COUNT = 9, SBA_INSTRUCTION = 4 };

static const ze_device_thread_t kAll = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

static zet_debug_memory_space_desc_t at(uint64_t address) {
  const zet_debug_memory_space_desc_t description = {
      .stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC,
      .type = ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT,
      .address = address};
  return description;
}

/* The image must be an ELF file of its announced size; then the breakpoint goes in. */
static void module_loaded(zet_debug_session_handle_t session, const zet_debug_event_t* event) {
  const uint64_t begin = event->info.module.moduleBegin;
  const uint64_t end = event->info.module.moduleEnd;
  EXPECT(end > begin + 64);
  uint8_t* image = malloc(end - begin);
  zet_debug_memory_space_desc_t where = at(begin);
  CHECK(zetDebugReadMemory(session, kAll, &where, end - begin, image));
  EXPECT(memcmp(image, "\177ELF", 4) == 0);
  free(image);

  where = at(event->info.module.load);
  uint64_t word = 0;
  CHECK(zetDebugReadMemory(session, kAll, &where, sizeof(word), &word));
  const int bit = (word >> COMPACTED & 1) != 0 ? BREAKPOINT_COMPACT : BREAKPOINT_NATIVE;
  word |= 1ull << bit;
  CHECK(zetDebugWriteMemory(session, kAll, &where, sizeof(word), &word));
  EXPECT((event->flags & ZET_DEBUG_EVENT_FLAG_NEED_ACK) != 0);
  CHECK(zetDebugAcknowledgeEvent(session, event));
}

/* Stopped by the breakpoint, at its address; goes on over it. */
static void thread_stopped(zet_debug_session_handle_t session, const zet_debug_event_t* event,
                           uint64_t load) {
  const ze_device_thread_t thread = event->info.thread.thread;
  uint32_t control[CR_DWORDS];
  uint64_t bases[SBA_COUNT];
  CHECK(zetDebugReadRegisters(session, thread, CR, 0, 1, control));
  CHECK(zetDebugReadRegisters(session, thread, SBA, 0, SBA_COUNT, bases));
  EXPECT(control[1] >> 31 == 1);
  EXPECT(bases[SBA_INSTRUCTION] + control[2] == load);
  control[0] |= SUPPRESS;
  control[1] &= ~(1u << 31);
  CHECK(zetDebugWriteRegisters(session, thread, CR, 0, 1, control));
  CHECK(zetDebugResume(session, thread));
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const struct host host = open_device();
  zet_device_debug_properties_t properties = {.stype = ZET_STRUCTURE_TYPE_DEVICE_DEBUG_PROPERTIES};
  CHECK(zetDeviceGetDebugProperties((zet_device_handle_t)host.device, &properties));
  EXPECT((properties.flags & ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH) != 0);
  uint32_t sets = 0;
  CHECK(zetDebugGetRegisterSetProperties((zet_device_handle_t)host.device, &sets, NULL));
  EXPECT(sets >= 5);

  const zet_debug_config_t config = {.pid = (uint32_t)strtoul(only_argument(argc, argv, "PID"), NULL, 10)};
  zet_debug_session_handle_t session = NULL;
  CHECK(zetDebugAttach((zet_device_handle_t)host.device, &config, &session));
  puts("attached");
  uint64_t load = 0;
  int stops = 0;
  for (int running = 1; running;) {
    zet_debug_event_t event;
    memset(&event, 0, sizeof(event));
    CHECK(zetDebugReadEvent(session, 20 * 1000, &event));
    switch (event.type) {
      case ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY:
        puts("process entry");
        break;
      case ZET_DEBUG_EVENT_TYPE_MODULE_LOAD:
        puts("module load");
        load = event.info.module.load;
        module_loaded(session, &event);
        break;
      case ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD:
        EXPECT(event.info.module.load == load);
        puts("module unload");
        break;
      case ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED:
        thread_stopped(session, &event, load);
        ++stops;
        break;
      case ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT:
        puts("process exit");
        break;
      case ZET_DEBUG_EVENT_TYPE_DETACHED:
        puts("detached");
        running = 0;
        break;
      default:
        printf("event %d\n", event.type);
        break;
    }
  }
  CHECK(zetDebugDetach(session));
  printf("stops %d\n", stops);
  return 0;
}
