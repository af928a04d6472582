// What drives a launch from one state to the next, as the executor and its debuggers do it: enough to
// do the same once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "device/hardware_thread.hpp"
#include "eu/execution_unit.hpp"

namespace xesim::device {

class Executor;

// A change that a debugger makes to a stopped thread.
using ThreadChange = std::function<void(HardwareThread&)>;

// Called while the device is locked, after each happened; must not change the device. While a launch
// runs it may be the witness of what its threads use of memory (Executor::view).
class LaunchRecorder {
 public:
  virtual ~LaunchRecorder() = default;
  // The launch that `executor` runs begins, or goes on from a state that no call led to.
  virtual void launch_began(Executor& executor) = 0;
  // Another one begins beside it, on another tile. Both end before the next call of launch_began().
  virtual void another_launch_began() = 0;
  // No launch runs any more.
  virtual void launch_ended() = 0;
  // A thread ran. `result` says how far, and what ended it.
  virtual void thread_ran(std::uint32_t ordinal, const eu::RunResult& result) = 0;
  // The dispatcher was asked to fill what room there is.
  virtual void refilled() = 0;
  virtual void thread_halted(std::uint32_t ordinal) = 0;
  virtual void thread_resumed(std::uint32_t ordinal) = 0;
  virtual void thread_changed(std::uint32_t ordinal, const ThreadChange& change) = 0;
  // Is about to be written by a debugger; there is such memory.
  virtual void memory_written(std::uint64_t address, std::span<const std::byte> bytes) = 0;
};

}  // namespace xesim::device
