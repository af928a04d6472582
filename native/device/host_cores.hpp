// How many cores of the host a launch may use, as users choose it, and what came of that.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xesim::device {

enum class HostCores : std::uint8_t {
  One,
  // Where it pays. What a launch does is the same, bit for bit.
  Two,
  // Wherever it is allowed, for tests: however little there is to do, and every other group of
  // threads on the second core even if the first one would have been faster.
  TwoAlways,
};

// "1" and "2", and "always" for tests; nothing for other words. Empty: Two.
[[nodiscard]] std::optional<HostCores> parse_host_cores(std::string_view text);

// Whether the process may run on more than one core of the host.
[[nodiscard]] bool process_has_two_cores();

// Batches of turns on two cores since the device was made.
struct BatchCounts {
  std::uint64_t completed = 0;
  std::uint64_t abandoned = 0;   // taken back, and run on one core
};

}  // namespace xesim::device
