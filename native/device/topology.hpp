// The shape of each simulated GPU: how many units it has and how large they are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "device/device_rows.hpp"

namespace xesim::device {

// Tiles of a device, a bit for each; what is of the whole device is of all.
using Tiles = std::uint32_t;
inline constexpr Tiles kAllTiles = UINT32_MAX;

// What zedbg/xe/devices.py says of a device, and what follows from it.
struct Topology : DeviceRow {
  [[nodiscard]] std::uint32_t grf_bytes() const { return eu::grf_bytes(platform); }
  [[nodiscard]] std::uint32_t simd_width() const { return eu::native_lanes(platform); }

  // One tile by itself.
  [[nodiscard]] Topology tile() const {
    Topology part = *this;
    part.tiles = 1;
    part.slices /= tiles;
    part.memory_bytes /= tiles;
    part.memory_bandwidth /= tiles;
    part.last_level_cache_bytes /= tiles;
    return part;
  }

  [[nodiscard]] std::uint32_t thread_count() const {
    return slices * subslices_per_slice * eus_per_subslice * threads_per_eu;
  }
};

// Every device that the simulator knows.
[[nodiscard]] std::span<const Topology> topologies();

// The device named `key`, or null.
[[nodiscard]] const Topology* find_topology(std::string_view key);

// A hardware thread's place, zero based; as ze_device_thread_t. kAny is the API's wildcard.
struct ThreadId {
  static constexpr std::uint32_t kAny = 0xFFFFFFFFu;
  std::uint32_t slice = 0;
  std::uint32_t subslice = 0;
  std::uint32_t eu = 0;
  std::uint32_t thread = 0;

  friend bool operator==(const ThreadId&, const ThreadId&) = default;
  [[nodiscard]] bool is_single() const {
    return slice != kAny && subslice != kAny && eu != kAny && thread != kAny;
  }
  [[nodiscard]] bool is_all() const {
    return slice == kAny && subslice == kAny && eu == kAny && thread == kAny;
  }
  [[nodiscard]] bool matches(const ThreadId& single) const {
    return (slice == kAny || slice == single.slice) &&
           (subslice == kAny || subslice == single.subslice) &&
           (eu == kAny || eu == single.eu) && (thread == kAny || thread == single.thread);
  }
};

// Position in slice-major order: ((slice * subslices + subslice) * eus + eu) * threads + thread.
[[nodiscard]] std::uint32_t ordinal(const Topology& topology, const ThreadId& id);
[[nodiscard]] ThreadId thread_id(const Topology& topology, std::uint32_t ordinal);
// Whether every field is inside the topology (wildcards are not).
[[nodiscard]] bool contains(const Topology& topology, const ThreadId& id);

}  // namespace xesim::device
