// The contents of global memory at one time: of every allocation, an immutable copy.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/frozen_bytes.hpp"
#include "device/memory.hpp"
#include "device/surface_state.hpp"

namespace xesim::device {

struct AllocationState {
  std::uint64_t address = 0;
  std::uint64_t mapped = 0;               // bytes
  AllocationKind kind = AllocationKind::Device;
  bool writable = true;                   // for threads of the device
  FrozenBytes contents;
};
using MemoryImage = std::vector<AllocationState>;  // by address

// Every allocation of the table with its contents. Shares with `earlier` what did not change since; see
// FrozenBytes::freeze().
[[nodiscard]] MemoryImage capture(
    const Memory& memory, const SurfaceHeap& surfaces, const MemoryImage* earlier = nullptr,
    const std::shared_ptr<std::atomic<std::uint64_t>>& total = nullptr);
// One line when an allocation of the image is not there any more. Others are left alone.
[[nodiscard]] std::optional<std::string> check(const MemoryImage& image, const Memory& memory);
// After check().
void apply(const MemoryImage& image);

}  // namespace xesim::device
