// Server and session together: attach, events, modules, the end. Against a device that a script
// drives.
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "debug/register_sets.hpp"
#include "support/debuggee.hpp"

namespace xesim::debug::tests {

namespace {

constexpr auto kChannelEnable = static_cast<std::uint32_t>(RegisterType::ChannelEnable);

ModuleDescription module_description(std::uint64_t id, std::uint64_t load) {
  ModuleDescription module;
  module.id = id;
  module.load_address = load;
  module.debug_image.assign(3000, static_cast<std::byte>(id));
  return module;
}

void attach_before_the_first_context_is_quiet() {
  Debuggee debuggee;
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

void read_event_waits_as_long_as_asked() {
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

void end_of_the_debuggee_is_reported_once_and_in_order() {
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
  CHECK(detached.info.detached.reason == ZET_DEBUG_DETACH_REASON_INVALID);
  zet_debug_event_t event;
  CHECK(session->read_event(UINT64_MAX, &event) == ZE_RESULT_NOT_READY);
  std::uint32_t value = 0;
  auto where = space(0x1000);
  CHECK(session->read_memory(kAllThreads, &where, 4, &value) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_registers(thread_at(4), kChannelEnable, 0, 1, &value) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_SUCCESS);
  CHECK(session->resume(kAllThreads) == ZE_RESULT_ERROR_NOT_AVAILABLE);
}

const std::vector<Case> kCases{
#define CASE(function) {#function, function}
    CASE(attach_before_the_first_context_is_quiet),
    CASE(second_debugger_is_refused_until_the_first_leaves),
    CASE(process_events_follow_the_queues),
    CASE(module_waits_for_its_acknowledge),
    CASE(module_acknowledged_by_address_alone_goes_on),
    CASE(detach_releases_modules_and_threads),
    CASE(read_event_waits_as_long_as_asked),
    CASE(end_of_the_debuggee_is_reported_once_and_in_order),
#undef CASE
};

}  // namespace

}  // namespace xesim::debug::tests

int main(int count, char** arguments) {
  return xesim::debug::tests::run_cases(xesim::debug::tests::kCases, count, arguments);
}
