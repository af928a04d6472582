// Answers a debugger's requests about memory, registers and running; on the debuggee's side. While the
// past is shown they are about the past, in which nothing can be changed and nothing runs.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "debug/breakpoint_journal.hpp"
#include "debug/channel.hpp"
#include "debug/module_registry.hpp"
#include "debug/thread_control.hpp"
#include "device/device.hpp"
#include "time/time_machine.hpp"

namespace xesim::debug {

class RequestHandler {
 public:
  // `modules` is guarded by `modules_mutex`.
  RequestHandler(device::Device& device, ThreadControl& threads, time::TimeMachine& past,
                 const ModuleRegistry& modules, std::mutex& modules_mutex)
      : device_(device),
        threads_(threads),
        past_(past),
        modules_(modules),
        modules_mutex_(modules_mutex) {}

  // Nothing when the frame is not a valid request: a session never sends such a thing.
  std::optional<wire::Reply> answer(const Frame& frame);
  // WriteRegisters, which has no reply. False when it is not valid.
  bool write_registers(const Frame& frame);
  // The debugger has left. `undo`: without taking its breakpoints out of the code.
  void forget_breakpoints(bool undo);

 private:
  using Answer = std::optional<wire::Reply>;
  Answer answer(const wire::ReadMemory& request);
  Answer answer(const wire::WriteMemory& request);
  Answer answer(const wire::ReadRegisters& request);
  Answer answer(const wire::Resume& request);
  Answer answer(const wire::ReadExceptionReason& request);

  [[nodiscard]] bool is_thread(std::uint32_t ordinal) const;
  // Null: not stopped. In the past every thread is. Needs a Pause.
  [[nodiscard]] device::HardwareThread* stopped_thread(std::uint32_t ordinal);

  device::Device& device_;
  ThreadControl& threads_;
  time::TimeMachine& past_;
  const ModuleRegistry& modules_;
  std::mutex& modules_mutex_;
  BreakpointJournal breakpoints_;
};

}  // namespace xesim::debug
