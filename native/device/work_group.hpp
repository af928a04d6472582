// A work-group on the device: its threads, its shared local memory and its barriers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/hardware_thread.hpp"

namespace xesim::device {

inline constexpr unsigned kBarriersPerGroup = 32;

// Threads that came to a barrier since it last completed.
struct BarrierArrivals {
  std::uint32_t producers = 0;
  std::uint32_t consumers = 0;
};

// A work-group that runs.
struct WorkGroup {
  std::array<std::uint32_t, 3> id{};
  std::uint32_t subslice = 0;              // position over all slices
  std::vector<HardwareThread*> threads;    // null once ended
  std::uint32_t alive = 0;
  std::vector<std::byte> slm;
  std::array<BarrierArrivals, kBarriersPerGroup> arrived{};
};

}  // namespace xesim::device
