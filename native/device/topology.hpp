// The shape of each simulated GPU: how many units it has and how large they are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "eu/isa/instruction.hpp"

namespace xesim::device {

struct Topology {
  std::string_view key;          // "dg2": the name users choose it by
  std::string_view name;         // as ze_device_properties_t reports it
  eu::Platform platform;
  std::uint32_t device_id;       // PCI
  std::uint32_t product_family;  // the number that compilers write into a module's notes
  std::uint32_t ip_version;      // architecture << 22 | release << 14 | revision
  std::uint32_t tiles;           // the slices are shared out among them, in order
  std::uint32_t slices;
  std::uint32_t subslices_per_slice;
  std::uint32_t eus_per_subslice;
  std::uint32_t threads_per_eu;
  std::uint32_t grf_bytes;       // bytes of one register
  std::uint32_t simd_width;      // physical
  std::uint32_t slm_bytes;       // per subslice
  std::uint32_t barriers;        // per subslice
  std::uint64_t memory_bytes;
  std::uint32_t core_clock_mhz;
  std::uint32_t group_slm_bytes; // most that one work-group may have
  std::uint32_t group_size;      // most work-items of one work-group
  std::uint32_t least_sub_group; // lanes; the others are multiples of it, up to 32
  bool has_double;               // 64-bit floating point
  bool has_images;               // a sampler and a data port for typed surfaces
  std::string_view memory_name;
  bool has_stacked_memory;       // HBM
  std::uint32_t memory_clock_mhz;
  std::uint32_t memory_bus_bits;
  std::uint32_t memory_bandwidth;    // bytes per nanosecond
  std::uint64_t last_level_cache_bytes;

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
