// A launch that the dispatcher has taken.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "device/launch.hpp"
#include "device/launch_status.hpp"
#include "device/thread_payload.hpp"

namespace xesim::device {

struct DispatchedLaunch {
  DispatchedLaunch(const KernelLaunch& taken, std::unique_ptr<ThreadPayload> its_payload)
      : launch(taken), payload(std::move(its_payload)) {}

  const KernelLaunch& launch;
  std::unique_ptr<ThreadPayload> payload;
  std::uint32_t first_subslice = 0;        // those that it has, as positions over all slices:
  std::uint32_t end_subslice = 0;          // from the first to before this one
  std::uint32_t threads_per_group = 0;
  std::uint32_t slm_per_group = 0;         // as the hardware rounds it
  std::uint64_t group_total = 0;
  LaunchEnd outcome;                       // not Complete: it ended before its last group did

  // With 256 registers a thread takes the room of two.
  [[nodiscard]] bool has_large_grf() const { return launch.grf_count > 128; }
  [[nodiscard]] bool overlaps(std::uint32_t first, std::uint32_t end) const {
    return first < end_subslice && first_subslice < end;
  }

  // On cache lines of their own, for host threads that place groups.
  alignas(64) std::atomic<std::uint64_t> next_group{0};
  alignas(64) std::atomic<std::uint64_t> ended_groups{0};
};

}  // namespace xesim::device
