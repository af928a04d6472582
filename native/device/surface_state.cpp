#include "device/surface_state.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

// How many slots a binding table takes.
std::uint32_t table_slots(std::size_t entries) {
  return static_cast<std::uint32_t>(
      (entries * sizeof(std::uint32_t) + kSurfaceStateBytes - 1) / kSurfaceStateBytes);
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
    : memory_(reinterpret_cast<std::byte*>(memory.surface_state_base())),
      slots_(static_cast<std::uint32_t>(memory.surface_state_size() / kSurfaceStateBytes)) {
  if (slots_ != 0) {
    const SurfaceState null = buffer_surface_state(0, 0);
    std::memcpy(memory_, null.data(), kSurfaceStateBytes);
  }
}

SurfaceHeap::SurfaceHeap(const SurfaceHeap& heap, std::byte* copy)
    : memory_(copy), slots_(heap.slots_) {}

std::uint64_t SurfaceHeap::used_bytes() const {
  const std::scoped_lock lock(mutex_);
  return std::uint64_t{std::min(next_, slots_)} * kSurfaceStateBytes;
}

std::optional<std::uint32_t> SurfaceHeap::take(std::uint32_t count) {
  if (count == 1 && !free_.empty()) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  if (count > 1) {
    std::ranges::sort(free_);
    for (std::size_t first = 0; first + count <= free_.size(); ++first) {
      if (free_[first + count - 1] == free_[first] + count - 1) {
        const std::uint32_t slot = free_[first];
        const auto begin = free_.begin() + static_cast<std::ptrdiff_t>(first);
        free_.erase(begin, begin + count);
        return slot;
      }
    }
  }
  if (count > slots_ - std::min(next_, slots_)) {
    return std::nullopt;
  }
  return std::exchange(next_, next_ + count);
}

void SurfaceHeap::give_back(std::uint32_t slot) {
  const SurfaceState null = buffer_surface_state(0, 0);
  std::memcpy(memory_ + std::uint64_t{slot} * kSurfaceStateBytes,
              null.data(), kSurfaceStateBytes);
  free_.push_back(slot);
}

std::optional<std::uint32_t> SurfaceHeap::add(const SurfaceState& state) {
  const std::scoped_lock lock(mutex_);
  const auto slot = take(1);
  if (!slot) {
    return std::nullopt;
  }
  const std::uint32_t offset = *slot * kSurfaceStateBytes;
  std::memcpy(memory_ + offset, state.data(), kSurfaceStateBytes);
  return offset;
}

void SurfaceHeap::remove(std::uint32_t offset) {
  const std::scoped_lock lock(mutex_);
  give_back(offset / kSurfaceStateBytes);
}

std::optional<std::uint32_t> SurfaceHeap::add_table(std::span<const std::uint32_t> states) {
  const std::scoped_lock lock(mutex_);
  const auto slot = take(table_slots(states.size()));
  if (!slot) {
    return std::nullopt;
  }
  const std::uint32_t offset = *slot * kSurfaceStateBytes;
  std::memcpy(memory_ + offset, states.data(), states.size_bytes());
  return offset;
}

void SurfaceHeap::remove_table(std::uint32_t offset, std::size_t entries) {
  const std::scoped_lock lock(mutex_);
  for (std::uint32_t slot = table_slots(entries); slot != 0; --slot) {
    give_back(offset / kSurfaceStateBytes + slot - 1);
  }
}

std::uint32_t SurfaceHeap::table_entry(std::uint32_t offset, std::uint32_t index) const {
  std::uint32_t entry = 0;
  std::memcpy(&entry, memory_ + offset + sizeof entry * index,
              sizeof entry);
  return entry;
}

SurfaceState SurfaceHeap::read(std::uint32_t offset) const {
  if (!contains(offset)) {
    return buffer_surface_state(0, 0);
  }
  SurfaceState state;
  std::memcpy(state.data(), memory_ + offset, kSurfaceStateBytes);
  return state;
}

}  // namespace xesim::device
