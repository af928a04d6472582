// What an event knows: whether it is signalled, and when the command that did it ran. Also in memory that
// processes share, where all zeroes are an event that is not signalled.
#pragma once

#include <atomic>
#include <cstdint>

namespace xesim::driver {

// Ticks of the device's timestamp counter around the command that signalled an event.
struct CommandTimes {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

struct EventState {
  static constexpr std::uint32_t kFailed = 2;

  std::atomic<std::uint32_t> signalled{0};  // 1, or kFailed: see failure.hpp; written after the times
  CommandTimes times;
  // Rounds of a counter-based event, see Event: commands that will signal it or did, and the last that
  // has ended.
  std::atomic<std::uint64_t> begun{0};
  std::atomic<std::uint64_t> ended{0};
};

}  // namespace xesim::driver
