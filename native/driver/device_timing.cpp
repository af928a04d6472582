#include "driver/device_timing.hpp"

#include <time.h>

namespace xesim::driver {

std::uint64_t host_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t device_timestamp() {
  const auto nanoseconds = static_cast<unsigned __int128>(host_nanoseconds());
  return static_cast<std::uint64_t>(nanoseconds * kTimerHertz / 1'000'000'000) &
         valid_bits(kTimestampBits);
}

}  // namespace xesim::driver
