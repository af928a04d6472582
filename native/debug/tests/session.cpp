// Server and session together: the API's rules, against a device that a script drives.
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "debug/register_sets.hpp"
#include "support/debuggee.hpp"

namespace xesim::debug::tests {

namespace {

constexpr auto kGrf = static_cast<std::uint32_t>(RegisterType::Grf);
constexpr auto kControl = static_cast<std::uint32_t>(RegisterType::Control);
constexpr auto kChannelEnable = static_cast<std::uint32_t>(RegisterType::ChannelEnable);
constexpr auto kStateBase = static_cast<std::uint32_t>(RegisterType::StateBaseAddress);

ModuleDescription module_description(std::uint64_t id, std::uint64_t load) {
  ModuleDescription module;
  module.id = id;
  module.load_address = load;
  module.debug_image.assign(3000, static_cast<std::byte>(id));
  return module;
}

zet_debug_memory_space_desc_t space(std::uint64_t address, std::uint32_t type = 0) {
  zet_debug_memory_space_desc_t where{};
  where.stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC;
  where.type = static_cast<zet_debug_memory_space_type_t>(type);
  where.address = address;
  return where;
}

// Stops the thread for a breakpoint and reads its event.
void stop_and_report(Debuggee& debuggee, Session& session, std::uint32_t ordinal) {
  scripted::place(debuggee.device, ordinal);
  scripted::stop(debuggee.device, ordinal, eu::cr0::kBreakpoint);
  const auto event = next_event(session);
  CHECK(event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(same_thread(event.info.thread.thread, thread_at(ordinal)));
}

void attach_before_context_is_not_ready() {
  Debuggee debuggee;
  std::unique_ptr<Session> session;
  CHECK(Session::attach(topology(), own_pid(), session) == ZE_RESULT_NOT_READY);
  CHECK(session == nullptr);
  CHECK(is_quiet(*debuggee.attach()));
}

void second_debugger_is_refused_until_the_first_leaves() {
  Debuggee debuggee;
  auto first = debuggee.attach();
  std::unique_ptr<Session> second;
  for (int attempt = 0; attempt < 3; ++attempt) {
    CHECK(Session::attach(topology(), own_pid(), second) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  }
  first.reset();
  CHECK(Session::attach(topology(), own_pid(), second) == ZE_RESULT_SUCCESS);
}

void process_events_follow_the_queues() {
  Debuggee debuggee;
  debuggee.server->queue_created();
  auto session = debuggee.attach();
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY);
  debuggee.server->queue_created();
  debuggee.server->queue_destroyed();
  CHECK(is_quiet(*session));
  debuggee.server->queue_destroyed();
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT);
  debuggee.server->queue_created();
  const auto event = next_event(*session);
  CHECK(event.type == ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY);
  CHECK(event.flags == 0);
  CHECK(session->acknowledge(&event) == ZE_RESULT_ERROR_UNINITIALIZED);
}

void module_waits_for_its_acknowledge() {
  Debuggee debuggee;
  debuggee.server->module_loaded(module_description(1, 0x1000));  // nobody attached: no wait
  auto session = debuggee.attach();
  const auto early = next_event(*session);
  CHECK(early.type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD);
  CHECK(early.flags == 0);
  CHECK(early.info.module.load == 0x1000);

  std::atomic<bool> loaded{false};
  std::thread program([&] {
    debuggee.server->module_loaded(module_description(2, 0x2000));
    loaded = true;
  });
  const auto event = next_event(*session);
  CHECK(event.flags == ZET_DEBUG_EVENT_FLAG_NEED_ACK);
  CHECK(event.info.module.moduleEnd - event.info.module.moduleBegin == 3000);

  // The image is readable before the acknowledge, whole and in part, but not beyond its end.
  std::array<std::byte, 3000> image{};
  auto where = space(event.info.module.moduleBegin);
  CHECK(session->read_memory(kAllThreads, &where, 3000, image.data()) == ZE_RESULT_SUCCESS);
  CHECK(image[0] == std::byte{2} && image[2999] == std::byte{2});
  where.address += 15;
  CHECK(session->read_memory(kAllThreads, &where, 2985, image.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(kAllThreads, &where, 2986, image.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(session->write_memory(kAllThreads, &where, 1, image.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);

  auto other = event;
  other.info.module.load = 0x3000;
  CHECK(session->acknowledge(&other) == ZE_RESULT_ERROR_UNINITIALIZED);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!loaded);
  CHECK(session->acknowledge(&event) == ZE_RESULT_SUCCESS);
  program.join();
  CHECK(session->acknowledge(&event) == ZE_RESULT_SUCCESS);  // again: by its address

  debuggee.server->module_unloaded(2);
  const auto unloaded = next_event(*session);
  CHECK(unloaded.type == ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD);
  CHECK(std::memcmp(&unloaded.info, &event.info, sizeof event.info) == 0);
  where.address = event.info.module.moduleBegin;
  CHECK(session->read_memory(kAllThreads, &where, 3000, image.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->acknowledge(&event) == ZE_RESULT_ERROR_UNINITIALIZED);
}

void module_acknowledged_by_address_alone_goes_on() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  std::thread program([&] { debuggee.server->module_loaded(module_description(1, 0x1000)); });
  auto event = next_event(*session);
  event.info.module.moduleBegin ^= 1;
  CHECK(session->acknowledge(&event) == ZE_RESULT_SUCCESS);
  program.join();
}

void detach_releases_modules_and_threads() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 5);
  std::thread program([&] { debuggee.server->module_loaded(module_description(1, 0x1000)); });
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD);
  CHECK(scripted::has_listener(debuggee.device));
  session.reset();
  program.join();
  CHECK(!scripted::has_listener(debuggee.device));
  CHECK(scripted::look(debuggee.device, 5).run == device::ThreadRun::Runnable);
}

void stopped_thread_is_accessible_only_after_its_event_was_read() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  scripted::place(debuggee.device, 17);
  scripted::stop(debuggee.device, 17, eu::cr0::kBreakpoint);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::array<std::uint32_t, 4> control{};
  const auto read = [&] {
    return session->read_registers(thread_at(17), kControl, 0, 1, control.data());
  };
  CHECK(read() == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->resume(kAllThreads) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(read() == ZE_RESULT_SUCCESS);
  CHECK(control[1] == eu::cr0::kBreakpoint && control[2] == scripted::kStartIp);
  CHECK(session->resume(thread_at(17)) == ZE_RESULT_SUCCESS);
  CHECK(read() == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->resume(thread_at(17)) == ZE_RESULT_ERROR_NOT_AVAILABLE);
}

void interrupt_of_nothing_is_answered_unavailable() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_SUCCESS);
  const auto event = next_event(*session);
  CHECK(event.type == ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE);
  CHECK(same_thread(event.info.thread.thread, kAllThreads));
  const ze_device_thread_t nowhere{99, 0, 0, 0};
  CHECK(session->interrupt(nowhere) == ZE_RESULT_SUCCESS);
  CHECK(same_thread(next_event(*session).info.thread.thread, nowhere));
  CHECK(session->resume(nowhere) == ZE_RESULT_ERROR_NOT_AVAILABLE);
}

void interrupt_is_answered_once_and_makes_threads_accessible_at_once() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  for (const std::uint32_t ordinal : {0u, 3u, 4095u}) scripted::place(debuggee.device, ordinal);
  stop_and_report(debuggee, *session, 8);
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_SUCCESS);
  const auto event = next_event(*session);
  CHECK(event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(same_thread(event.info.thread.thread, kAllThreads));
  CHECK(is_quiet(*session));
  std::array<std::uint32_t, 4> control{};
  for (const std::uint32_t ordinal : {0u, 3u, 4095u}) {
    CHECK(session->read_registers(thread_at(ordinal), kControl, 0, 1, control.data()) ==
          ZE_RESULT_SUCCESS);
    CHECK(control[1] == eu::cr0::kForceException);
  }
  CHECK(session->read_registers(thread_at(1), kControl, 0, 1, control.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->interrupt(thread_at(3)) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  // Nothing is left to halt.
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_SUCCESS);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE);
}

void wildcards_select_threads() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  for (const std::uint32_t ordinal : {0u, 1u, 8u, 600u}) scripted::place(debuggee.device, ordinal);
  const ze_device_thread_t first_slice{0, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  CHECK(session->interrupt(first_slice) == ZE_RESULT_SUCCESS);
  CHECK(same_thread(next_event(*session).info.thread.thread, first_slice));
  CHECK(scripted::look(debuggee.device, 600).run == device::ThreadRun::Runnable);
  const ze_device_thread_t first_threads{0, 0, UINT32_MAX, 0};
  CHECK(session->resume(first_threads) == ZE_RESULT_SUCCESS);
  CHECK(scripted::look(debuggee.device, 0).run == device::ThreadRun::Runnable);
  CHECK(scripted::look(debuggee.device, 8).run == device::ThreadRun::Runnable);
  CHECK(scripted::look(debuggee.device, 1).run == device::ThreadRun::Stopped);
  CHECK(session->resume(kAllThreads) == ZE_RESULT_SUCCESS);
  CHECK(scripted::look(debuggee.device, 1).run == device::ThreadRun::Runnable);
}

void registers_are_those_of_the_stop_and_writes_are_seen() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 700);
  const ze_device_thread_t thread = thread_at(700);
  std::array<std::uint32_t, 8> header{};
  CHECK(session->read_registers(thread, kGrf, 0, 1, header.data()) == ZE_RESULT_SUCCESS);
  CHECK(header[1] == 700);
  std::uint32_t mask = 0;
  CHECK(session->read_registers(thread, kChannelEnable, 0, 1, &mask) == ZE_RESULT_SUCCESS);
  CHECK(mask == 0xFFFF);
  std::array<std::uint64_t, 9> bases{};
  CHECK(session->read_registers(thread, kStateBase, 0, 9, bases.data()) == ZE_RESULT_SUCCESS);
  CHECK(bases[4] == debuggee.device.memory().instruction_base());
  std::uint64_t isa_base = 0;
  CHECK(session->read_registers(thread, kStateBase, 4, 1, &isa_base) == ZE_RESULT_SUCCESS);
  CHECK(isa_base == bases[4]);

  header.fill(7);
  CHECK(session->write_registers(thread, kGrf, 127, 1, header.data()) == ZE_RESULT_SUCCESS);
  std::array<std::uint32_t, 16> two{};
  CHECK(session->read_registers(thread, kGrf, 126, 2, two.data()) == ZE_RESULT_SUCCESS);
  CHECK(two[0] == 0 && two[8] == 7 && two[15] == 7);
  header.fill(9);
  CHECK(session->write_registers(thread, kGrf, 126, 1, header.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_registers(thread, kGrf, 126, 2, two.data()) == ZE_RESULT_SUCCESS);
  CHECK(two[0] == 9 && two[8] == 7);

  // Moving the instruction pointer moves the lanes that are enabled, and no other.
  {
    const auto pause = debuggee.device.pause();
    debuggee.device.find_thread(device::thread_id(topology(), 700))->state.channel_ip[3] = 0x900;
  }
  std::array<std::uint32_t, 4> control{};
  CHECK(session->read_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  control[2] = 0x800;
  CHECK(session->write_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_registers(thread, kChannelEnable, 0, 1, &mask) == ZE_RESULT_SUCCESS);
  CHECK(mask == 0xFFF7);
  const auto moved = scripted::look(debuggee.device, 700);
  CHECK(moved.state.ip == 0x800);
  CHECK(moved.state.channel_ip[0] == 0x800 && moved.state.channel_ip[3] == 0x900);
}

void register_arguments_are_checked() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 1);
  const ze_device_thread_t thread = thread_at(1);
  std::vector<std::byte> buffer(256 * 32);
  const auto read = [&](std::uint32_t type, std::uint32_t start, std::uint32_t count) {
    return session->read_registers(thread, type, start, count, buffer.data());
  };
  CHECK(read(kGrf, 0, 256) == ZE_RESULT_SUCCESS);  // also of a thread with 128
  CHECK(read(kGrf, 128, 128) == ZE_RESULT_SUCCESS);
  CHECK(read(kGrf, 255, 0) == ZE_RESULT_SUCCESS);
  CHECK(read(kGrf, 256, 0) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(kGrf, 0, 257) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(kGrf, 2, UINT32_MAX) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(0, 0, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(7, 0, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT);   // TDR: not on this platform
  CHECK(read(999, 0, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  for (const std::uint32_t read_only : {kChannelEnable, kStateBase}) {
    CHECK(session->write_registers(thread, read_only, 0, 1, buffer.data()) ==
          ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  CHECK(session->read_registers(kAllThreads, kGrf, 0, 1, buffer.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_registers({8, 0, 0, 0}, kGrf, 0, 1, buffer.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

void register_sets_are_those_of_the_platform() {
  struct Expected {
    std::uint32_t type, count, bytes;
    bool writeable;
  };
  constexpr std::array<Expected, 10> kExpected{{{1, 128, 32, true}, {2, 1, 32, true},
      {3, 2, 4, true}, {4, 1, 4, false}, {5, 1, 16, true}, {6, 1, 16, true}, {8, 4, 32, true},
      {9, 8, 32, true}, {11, 9, 8, false}, {12, 1, 8, true}}};
  CHECK(register_set_properties(topology(), nullptr, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  std::uint32_t count = 0;
  CHECK(register_set_properties(topology(), &count, nullptr) == ZE_RESULT_SUCCESS);
  CHECK(count == kExpected.size());
  std::vector<zet_debug_regset_properties_t> sets(count + 3);
  count = static_cast<std::uint32_t>(sets.size());
  CHECK(register_set_properties(topology(), &count, sets.data()) == ZE_RESULT_SUCCESS);
  CHECK(count == kExpected.size());
  for (std::size_t index = 0; index < kExpected.size(); ++index) {
    CHECK(sets[index].stype == ZET_STRUCTURE_TYPE_DEBUG_REGSET_PROPERTIES);
    CHECK(sets[index].type == kExpected[index].type);
    CHECK(sets[index].count == kExpected[index].count);
    CHECK(sets[index].byteSize == kExpected[index].bytes);
    CHECK(sets[index].bitSize == kExpected[index].bytes * 8);
    CHECK(sets[index].generalFlags == (kExpected[index].writeable ? 3u : 1u));
  }
  count = 2;
  CHECK(register_set_properties(topology(), &count, sets.data()) == ZE_RESULT_SUCCESS);
  CHECK(count == 2);

  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 0);
  std::array<std::uint32_t, 4> control{};
  CHECK(session->read_registers(thread_at(0), kControl, 0, 1, control.data()) ==
        ZE_RESULT_SUCCESS);
  const auto grf_count = [&] {
    std::uint32_t one = 1;
    CHECK(session->thread_register_set_properties(thread_at(0), &one, sets.data()) ==
          ZE_RESULT_SUCCESS);
    return sets[0].count;
  };
  CHECK(grf_count() == 128);
  control[0] |= eu::cr0::kLargeGrf;
  CHECK(session->write_registers(thread_at(0), kControl, 0, 1, control.data()) ==
        ZE_RESULT_SUCCESS);
  CHECK(grf_count() == 256);
  CHECK(session->thread_register_set_properties(thread_at(1), &count, sets.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
}

void memory_spaces_keep_their_rules() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 2);
  const ze_device_thread_t thread = thread_at(2);
  auto& memory = debuggee.device.memory();
  const auto data = memory.allocate(device::AllocationKind::Device, 5 << 20, 0, nullptr);
  const auto code = memory.allocate(device::AllocationKind::Code, 4096, 0, nullptr);
  CHECK(data && code);

  // Larger than one message, unaligned.
  std::vector<std::byte> written((3 << 20) + 7);
  for (std::size_t index = 0; index < written.size(); ++index) {
    written[index] = static_cast<std::byte>(index * 7 + index / 4096);
  }
  auto where = space(data->address + 3);
  CHECK(session->write_memory(kAllThreads, &where, written.size(), written.data()) ==
        ZE_RESULT_SUCCESS);
  std::vector<std::byte> read(written.size());
  CHECK(session->read_memory(thread, &where, read.size(), read.data()) == ZE_RESULT_SUCCESS);
  CHECK(read == written);
  CHECK(session->read_memory(thread, &where, 0, nullptr) == ZE_RESULT_SUCCESS);

  // All or nothing, also for a transfer whose end alone is not mapped.
  const std::vector<std::byte> before(8);
  std::vector<std::byte> longer(data->mapped + (2 << 20), std::byte{0xEE});
  where = space(data->address);
  const auto refused = session->write_memory(kAllThreads, &where, longer.size(), longer.data());
  CHECK(refused != ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(kAllThreads, &where, 1, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(read[0] != std::byte{0xEE});

  where = space(code->address);
  CHECK(session->write_memory(kAllThreads, &where, 16, written.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(kAllThreads, &where, code->mapped, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(std::equal(read.begin(), read.begin() + 16, written.begin()));
  CHECK(session->read_memory(kAllThreads, &where, code->mapped + 1, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);

  where = space(0x10);
  CHECK(session->read_memory(kAllThreads, &where, 1, read.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_memory(thread, &where, 1, read.data()) == ZE_RESULT_ERROR_UNKNOWN);
  where = space(1ull << 60);
  CHECK(session->read_memory(kAllThreads, &where, 1, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  where = space(data->address);
  CHECK(session->read_memory(thread_at(3), &where, 1, read.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_memory({0, UINT32_MAX, 0, 0}, &where, 1, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);

  constexpr std::uint64_t kTag = 1ull << 28;
  where = space(kTag | 13, ZET_DEBUG_MEMORY_SPACE_TYPE_SLM);
  CHECK(session->write_memory(thread, &where, 7, written.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(thread, &where, 7, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(std::equal(read.begin(), read.begin() + 7, written.begin()));
  CHECK(session->read_memory(kAllThreads, &where, 7, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  where.address = 13;
  CHECK(session->read_memory(thread, &where, 7, read.data()) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  where.address = kTag | 1020;
  CHECK(session->read_memory(thread, &where, 4, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(thread, &where, 5, read.data()) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  where = space(data->address, 2);  // the ELF is read through the default space
  CHECK(session->read_memory(thread, &where, 1, read.data()) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

void thread_that_steps_reports_each_step() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 9);
  for (std::uint32_t step = 1; step <= 100; ++step) {
    CHECK(session->resume(thread_at(9)) == ZE_RESULT_SUCCESS);  // the step bit is still set
    CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
    std::array<std::uint32_t, 4> control{};
    CHECK(session->read_registers(thread_at(9), kControl, 0, 1, control.data()) ==
          ZE_RESULT_SUCCESS);
    CHECK(control[2] == scripted::kStartIp + step * scripted::kInstructionBytes);
  }
}

void every_thread_of_the_device_stops_and_is_read_quickly() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  const std::uint32_t count = topology().thread_count();
  for (std::uint32_t ordinal = 0; ordinal < count; ++ordinal) {
    scripted::place(debuggee.device, ordinal);
  }
  const auto start = std::chrono::steady_clock::now();
  for (std::uint32_t ordinal = 0; ordinal < count; ++ordinal) {
    scripted::stop(debuggee.device, ordinal, eu::cr0::kBreakpoint);
  }
  std::array<std::uint32_t, 4> control{};
  for (std::uint32_t ordinal = 0; ordinal < count; ++ordinal) {
    const auto event = next_event(*session);
    CHECK(same_thread(event.info.thread.thread, thread_at(ordinal)));
    CHECK(session->read_registers(thread_at(ordinal), kControl, 0, 1, control.data()) ==
          ZE_RESULT_SUCCESS);
  }
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->resume(kAllThreads) == ZE_RESULT_SUCCESS);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::fprintf(stderr, "  %u threads: %.1f ms\n", count, took.count() * 1e3);
  CHECK(took.count() < 5);  // without sanitizers a few hundredths of that
}

void read_event_waits_as_long_as_it_is_told() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  zet_debug_event_t event;
  CHECK(session->read_event(0, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(session->read_event(0, &event) == ZE_RESULT_NOT_READY);
  const auto start = std::chrono::steady_clock::now();
  CHECK(session->read_event(50, &event) == ZE_RESULT_NOT_READY);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(50));
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    debuggee.server->queue_created();
  });
  CHECK(session->read_event(UINT64_MAX, &event) == ZE_RESULT_SUCCESS);
  CHECK(event.type == ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY);
  later.join();
}

void end_of_the_debuggee_is_told_once_and_in_order() {
  Debuggee debuggee;
  debuggee.server->queue_created();
  debuggee.server->module_loaded(module_description(1, 0x1000));
  auto session = debuggee.attach();
  next_event(*session);
  next_event(*session);
  stop_and_report(debuggee, *session, 4);
  debuggee.server.reset();
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT);
  const auto detached = next_event(*session);
  CHECK(detached.type == ZET_DEBUG_EVENT_TYPE_DETACHED);
  CHECK(detached.info.detached.reason == ZET_DEBUG_DETACH_REASON_HOST_EXIT);
  zet_debug_event_t event;
  CHECK(session->read_event(UINT64_MAX, &event) == ZE_RESULT_NOT_READY);
  std::uint32_t value = 0;
  auto where = space(0x1000);
  CHECK(session->read_memory(kAllThreads, &where, 4, &value) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_registers(thread_at(4), kChannelEnable, 0, 1, &value) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->resume(kAllThreads) == ZE_RESULT_ERROR_NOT_AVAILABLE);
}

const std::vector<Case> kCases{
#define CASE(function) {#function, function}
    CASE(attach_before_context_is_not_ready),
    CASE(second_debugger_is_refused_until_the_first_leaves),
    CASE(process_events_follow_the_queues),
    CASE(module_waits_for_its_acknowledge),
    CASE(module_acknowledged_by_address_alone_goes_on),
    CASE(detach_releases_modules_and_threads),
    CASE(stopped_thread_is_accessible_only_after_its_event_was_read),
    CASE(interrupt_of_nothing_is_answered_unavailable),
    CASE(interrupt_is_answered_once_and_makes_threads_accessible_at_once),
    CASE(wildcards_select_threads),
    CASE(registers_are_those_of_the_stop_and_writes_are_seen),
    CASE(register_arguments_are_checked),
    CASE(register_sets_are_those_of_the_platform),
    CASE(memory_spaces_keep_their_rules),
    CASE(thread_that_steps_reports_each_step),
    CASE(every_thread_of_the_device_stops_and_is_read_quickly),
    CASE(read_event_waits_as_long_as_it_is_told),
    CASE(end_of_the_debuggee_is_told_once_and_in_order),
#undef CASE
};

}  // namespace

}  // namespace xesim::debug::tests

int main(int count, char** arguments) {
  return xesim::debug::tests::run_cases(xesim::debug::tests::kCases, count, arguments);
}
