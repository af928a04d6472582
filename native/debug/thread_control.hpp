// Stops and resumes the device's threads for the debugger; on the debuggee's side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "debug/wake_relay.hpp"
#include "device/device.hpp"

namespace xesim::debug {

// Threads that stopped, and for each the registers of read_ahead_sets(), one after the other.
struct StoppedThreads {
  std::vector<std::uint32_t> ordinals;
  std::vector<std::byte> registers;
};

class ThreadControl final : public device::ExceptionListener {
 public:
  // `wake` is signalled when take_stopped() has something to give: not before the stop is whole.
  ThreadControl(device::Device& device, WakeRelay& wake) : device_(device), wake_(wake) {}

  // Switches debugging on, for all tiles.
  void begin();
  // From now on for these tiles. Threads of others go on past breakpoints and what debuggers did to
  // them; at a fault they wait until a debugger attends to them, or until the end.
  void attend(device::Tiles tiles);
  // Switches it off: what is stopped goes on, what was not taken is forgotten.
  void end();

  // Threads that took an exception since the last call, in the order in which they did; only whole
  // stops.
  StoppedThreads take_stopped();
  // Halts the threads that match and are not stopped; gives those that were halted.
  StoppedThreads interrupt(const device::ThreadId& threads);
  // False: none of them was stopped.
  bool resume(std::span<const std::uint32_t> ordinals);

  void exception_taken(const device::HardwareThread& thread) override;
  void stops_settled() override;
  void thread_ended(const device::ThreadId&) override {}
  void became_idle() override {}

 private:
  void snapshot(const device::HardwareThread& thread, StoppedThreads& stopped);
  // With the mutex.
  [[nodiscard]] bool attends(const device::ThreadId& thread) const;
  // Lets a thread that stopped go on, with the device locked. False: it stopped for a fault.
  bool pass(device::HardwareThread& thread);

  device::Device& device_;
  WakeRelay& wake_;
  std::mutex mutex_;                      // taken while the device is locked, never the other way
  std::vector<std::uint32_t> arriving_;   // stopped, while others may stop with them
  std::vector<std::uint32_t> untaken_;
  device::Tiles tiles_ = device::kAllTiles;
};

}  // namespace xesim::debug
