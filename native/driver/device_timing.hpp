// The timestamp counter of the device, as Intel's discrete GPUs of this family have it.
#pragma once

#include <cstdint>

namespace xesim::driver {

inline constexpr std::uint64_t kTimerHertz = 19'200'000;
inline constexpr std::uint32_t kTimestampBits = 36;        // zeDeviceGetGlobalTimestamps
inline constexpr std::uint32_t kKernelTimestampBits = 32;  // events

constexpr std::uint64_t valid_bits(std::uint32_t bits) { return (std::uint64_t{1} << bits) - 1; }

// The monotonic clock of the host, which the counter follows.
[[nodiscard]] std::uint64_t host_nanoseconds();
// Ticks of the counter now, as zeDeviceGetGlobalTimestamps gives them.
[[nodiscard]] std::uint64_t device_timestamp();

}  // namespace xesim::driver
