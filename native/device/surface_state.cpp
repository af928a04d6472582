#include "device/surface_state.hpp"

#include <algorithm>
#include <cstring>

namespace xesim::device {

namespace {

enum SurfaceType : std::uint32_t { kBuffer = 4, kScratch = 6, kNull = 7 };
constexpr std::uint32_t kTypeShift = 29;       // dword 0
constexpr std::uint32_t kFormatShift = 18;     // dword 0
constexpr std::uint32_t kFormatRaw = 0x1FF;
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 32;

// Entries minus one: 7 bits of width, 14 of height, 11 of depth.
void put_entries(SurfaceState& state, std::uint64_t entries) {
  const std::uint64_t last = entries - 1;
  state[2] = static_cast<std::uint32_t>((last & 0x7F) | (last >> 7 & 0x3FFF) << 16);
  state[3] |= static_cast<std::uint32_t>(last >> 21 & 0x7FF) << 21;
}

std::uint64_t entries(const SurfaceState& state) {
  return (std::uint64_t{state[2] & 0x7F} | std::uint64_t{state[2] >> 16 & 0x3FFF} << 7 |
          std::uint64_t{state[3] >> 21 & 0x7FF} << 21) +
         1;
}

void put_base(SurfaceState& state, std::uint64_t base) {
  state[8] = static_cast<std::uint32_t>(base);
  state[9] = static_cast<std::uint32_t>(base >> 32);
}

}  // namespace

SurfaceState buffer_surface_state(std::uint64_t base, std::uint64_t size) {
  SurfaceState state{};
  if (size == 0) {
    state[0] = kNull << kTypeShift;
    return state;
  }
  state[0] = kBuffer << kTypeShift | kFormatRaw << kFormatShift;
  put_entries(state, std::min(size, kMostEntries));
  put_base(state, base);
  return state;
}

SurfaceState scratch_surface_state(std::uint64_t base, std::uint32_t bytes_per_thread,
                                   std::uint32_t threads) {
  SurfaceState state{};
  state[0] = kScratch << kTypeShift | kFormatRaw << kFormatShift;
  state[3] = (bytes_per_thread - 1) & 0x3FFFF;
  put_entries(state, threads);
  put_base(state, base);
  return state;
}

eu::BufferSurface decode_surface_state(const SurfaceState& state) {
  eu::BufferSurface surface;
  const std::uint32_t type = state[0] >> kTypeShift;
  if (type != kBuffer && type != kScratch) {
    return surface;
  }
  surface.valid = true;
  surface.scratch = type == kScratch;
  surface.base = std::uint64_t{state[9]} << 32 | state[8];
  surface.size = surface.scratch ? (state[3] & 0x3FFFF) + 1 : entries(state);
  return surface;
}

SurfaceHeap::SurfaceHeap(Memory& memory)
    : base_(memory.surface_state_base()),
      slots_(static_cast<std::uint32_t>(memory.surface_state_size() / kSurfaceStateBytes)) {
  if (slots_ != 0) {
    const SurfaceState null = buffer_surface_state(0, 0);
    std::memcpy(reinterpret_cast<void*>(base_), null.data(), kSurfaceStateBytes);
  }
}

std::optional<std::uint32_t> SurfaceHeap::add(const SurfaceState& state) {
  const std::scoped_lock lock(mutex_);
  std::uint32_t slot = next_;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else if (next_ < slots_) {
    ++next_;
  } else {
    return std::nullopt;
  }
  const std::uint32_t offset = slot * kSurfaceStateBytes;
  std::memcpy(reinterpret_cast<void*>(base_ + offset), state.data(), kSurfaceStateBytes);
  return offset;
}

void SurfaceHeap::remove(std::uint32_t offset) {
  const std::scoped_lock lock(mutex_);
  const SurfaceState null = buffer_surface_state(0, 0);
  std::memcpy(reinterpret_cast<void*>(base_ + offset), null.data(), kSurfaceStateBytes);
  free_.push_back(offset / kSurfaceStateBytes);
}

SurfaceState SurfaceHeap::read(std::uint32_t offset) const {
  if (!contains(offset)) {
    return buffer_surface_state(0, 0);
  }
  SurfaceState state;
  std::memcpy(state.data(), reinterpret_cast<const void*>(base_ + offset), kSurfaceStateBytes);
  return state;
}

}  // namespace xesim::device
