// The query of an event's timestamps on the device's clock and on the host's (1.6, extension
// ZE_extension_event_query_kernel_timestamps). Source: Level Zero specification 1.6.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>

namespace xesim::driver::later {

// Of a device: which of the two clocks it gives, as bits.
inline constexpr ze_structure_type_t kTimestampQueries =
    static_cast<ze_structure_type_t>(0x10011);
inline constexpr std::uint32_t kBothClocks = 3;
struct TimestampQueries {
  ze_structure_type_t stype;
  void* pNext;
  std::uint32_t flags;
};

struct SynchronizedTimes {
  struct {
    std::uint64_t start;  // nanoseconds of the host's clock
    std::uint64_t end;
  } global, context;
};

struct TimestampResults {
  ze_structure_type_t stype;
  void* pNext;
  ze_kernel_timestamp_result_t* of_device;  // each may be null
  SynchronizedTimes* of_host;
};

ze_result_t event_query_kernel_timestamps(ze_event_handle_t event, ze_device_handle_t device,
                                          std::uint32_t* count, TimestampResults* results);

}  // namespace xesim::driver::later
