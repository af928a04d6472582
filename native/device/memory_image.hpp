// The contents of global memory at one time: of every allocation, an immutable copy.
#pragma once

#include <cstdint>
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

// Every allocation of the table with its contents.
[[nodiscard]] MemoryImage capture(const Memory& memory, const SurfaceHeap& surfaces);
// One line when an allocation of the image is not there any more. Others are left alone.
[[nodiscard]] std::optional<std::string> check(const MemoryImage& image, const Memory& memory);
// After check().
void apply(const MemoryImage& image);

}  // namespace xesim::device
