// Server and session together: stops, interrupts and resumes of a device that a script drives.
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "debug/register_sets.hpp"
#include "support/debuggee.hpp"

namespace xesim::debug::tests {

namespace {

constexpr auto kControl = static_cast<std::uint32_t>(RegisterType::Control);

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

void reason_of_an_illegal_instruction_goes_with_its_stop() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  const auto thread = thread_at(5);
  std::array<char, 2000> text{};
  std::size_t size = 0;
  const auto reason = [&] {
    size = text.size();
    CHECK(session->exception_reason(thread, &size, text.data()) == ZE_RESULT_SUCCESS);
    return std::string(text.data(), size - 1);
  };
  scripted::place(debuggee.device, 5);
  scripted::explain(debuggee.device, 5, "reserved operation");
  CHECK(session->exception_reason(thread, &size, nullptr) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  scripted::stop(debuggee.device, 5, eu::cr0::kIllegalOpcode);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(session->exception_reason(thread, &size, nullptr) == ZE_RESULT_SUCCESS && size == 19);
  CHECK(reason() == "reserved operation");
  --size;
  CHECK(session->exception_reason(thread, &size, text.data()) == ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(session->exception_reason(thread, nullptr, text.data()) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(session->exception_reason(kAllThreads, &size, nullptr) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(session->exception_reason({8, 0, 0, 0}, &size, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);

  // Whatever a debuggee says is one line of a terminal, and not too long.
  scripted::explain(debuggee.device, 5, "a\nb\x1b[2J\xff" + std::string(5000, '.'));
  const std::string said = reason();
  CHECK(said.starts_with("a?b?[2J?.") && said.size() == 1024);

  // The instruction pointer is written: the reason was another instruction's.
  std::array<std::uint32_t, 4> control{};
  CHECK(session->read_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  control[2] += scripted::kInstructionBytes;
  CHECK(session->write_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  CHECK(reason().empty());

  // It goes on, and stops for something else.
  scripted::explain(debuggee.device, 5, "reserved operation");
  control[1] = 0;
  CHECK(session->write_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->resume(thread) == ZE_RESULT_SUCCESS);
  CHECK(session->exception_reason(thread, &size, nullptr) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->interrupt(thread) == ZE_RESULT_SUCCESS);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(reason().empty());
}

// Reported together with the answer, after it, and each accessible once its own event was read.
void what_stopped_by_itself_is_reported_after_the_answer() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  for (const std::uint32_t ordinal : {2u, 5u, 9u}) scripted::place(debuggee.device, ordinal);
  for (const std::uint32_t ordinal : {5u, 2u}) {
    scripted::stop(debuggee.device, ordinal, eu::cr0::kBreakpoint,
                   scripted::Settling::MoreToCome);
  }
  CHECK(session->interrupt(kAllThreads) == ZE_RESULT_SUCCESS);
  const auto answer = next_event(*session);
  CHECK(answer.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(same_thread(answer.info.thread.thread, kAllThreads));
  std::array<std::uint32_t, 4> control{};
  const auto read = [&](std::uint32_t ordinal) {
    return session->read_registers(thread_at(ordinal), kControl, 0, 1, control.data());
  };
  CHECK(read(9) == ZE_RESULT_SUCCESS && control[1] == eu::cr0::kForceException);
  for (const std::uint32_t ordinal : {5u, 2u}) {
    CHECK(read(ordinal) == ZE_RESULT_ERROR_NOT_AVAILABLE);
    const auto event = next_event(*session, 0);
    CHECK(event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
    CHECK(same_thread(event.info.thread.thread, thread_at(ordinal)));
    CHECK(read(ordinal) == ZE_RESULT_SUCCESS && control[1] == eu::cr0::kBreakpoint);
  }

  // A thread that stopped by itself is no hit of the interrupt.
  scripted::place(debuggee.device, 700);
  scripted::stop(debuggee.device, 700, eu::cr0::kIllegalOpcode, scripted::Settling::MoreToCome);
  CHECK(session->interrupt(thread_at(700)) == ZE_RESULT_SUCCESS);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE);
  const auto stopped = next_event(*session, 0);
  CHECK(stopped.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(same_thread(stopped.info.thread.thread, thread_at(700)));
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

const std::vector<Case> kCases{
#define CASE(function) {#function, function}
    CASE(stopped_thread_is_accessible_only_after_its_event_was_read),
    CASE(interrupt_of_nothing_is_answered_unavailable),
    CASE(interrupt_is_answered_once_and_makes_threads_accessible_at_once),
    CASE(reason_of_an_illegal_instruction_goes_with_its_stop),
    CASE(what_stopped_by_itself_is_reported_after_the_answer),
    CASE(wildcards_select_threads),
    CASE(thread_that_steps_reports_each_step),
    CASE(every_thread_of_the_device_stops_and_is_read_quickly),
#undef CASE
};

}  // namespace

}  // namespace xesim::debug::tests

int main(int count, char** arguments) {
  return xesim::debug::tests::run_cases(xesim::debug::tests::kCases, count, arguments);
}
