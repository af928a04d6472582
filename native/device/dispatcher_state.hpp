// What the dispatcher and the threads on the device hold, as plain data; without the registers and the
// shared local memory, see Dispatcher::contents().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/hardware_thread.hpp"
#include "device/work_group.hpp"

namespace xesim::device {

struct WorkGroupState {
  std::array<std::uint32_t, 3> id{};
  std::uint32_t subslice = 0;             // position over all slices
  std::array<BarrierArrivals, kBarriersPerGroup> arrived{};
};

struct ResidentThreadState {
  std::uint32_t ordinal = 0;
  std::uint32_t group = 0;                // index in DispatcherState::groups
  std::uint32_t index_in_group = 0;
  bool entered = false;                   // it has registers
  ThreadRun run = ThreadRun::Runnable;
  eu::PageFault fault;
  std::string report;
  std::vector<std::byte> written_flow_control;
};

struct DispatcherState {
  std::uint64_t next_group = 0;           // of the launch: how many were placed
  std::vector<std::uint8_t> has_new_room; // by subslice: since the last refill
  std::vector<WorkGroupState> groups;     // that have threads, by the ordinal of their first one
  std::vector<ResidentThreadState> threads;  // by ordinal
};

}  // namespace xesim::device
