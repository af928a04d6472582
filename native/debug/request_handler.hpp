// Answers a debugger's requests about memory, registers and running; on the debuggee's side.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "debug/breakpoint_journal.hpp"
#include "debug/channel.hpp"
#include "debug/module_registry.hpp"
#include "debug/thread_control.hpp"
#include "device/device.hpp"

namespace xesim::debug {

class RequestHandler {
 public:
  // `modules` is guarded by `modules_mutex`.
  RequestHandler(device::Device& device, ThreadControl& threads, const ModuleRegistry& modules,
                 std::mutex& modules_mutex)
      : device_(device), threads_(threads), modules_(modules), modules_mutex_(modules_mutex) {}

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
  // Null: not stopped. Needs a Pause.
  [[nodiscard]] device::HardwareThread* stopped_thread(std::uint32_t ordinal);

  device::Device& device_;
  ThreadControl& threads_;
  const ModuleRegistry& modules_;
  std::mutex& modules_mutex_;
  BreakpointJournal breakpoints_;
};

}  // namespace xesim::debug
