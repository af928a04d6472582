#include "device/topology.hpp"

#include <algorithm>
#include <array>

namespace xesim::device {

namespace {

constexpr std::uint32_t ip_version(std::uint32_t architecture, std::uint32_t release,
                                   std::uint32_t revision) {
  return architecture << 22 | release << 14 | revision;
}

constexpr std::array kTopologies{
    Topology{
        .key = "dg2",
        .name = "Intel(R) Arc(TM) A770 Graphics (simulated)",
        .platform = eu::Platform::XeHpg,
        .device_id = 0x56A0,
        .product_family = 1270,
        .ip_version = ip_version(12, 55, 8),
        .tiles = 1,
        .slices = 8,
        .subslices_per_slice = 4,
        .eus_per_subslice = 16,
        .threads_per_eu = 8,
        .grf_bytes = 32,
        .simd_width = 8,
        .slm_bytes = 128 * 1024,
        .barriers = 32,
        .memory_bytes = std::uint64_t{16} << 30,
        .core_clock_mhz = 2400,
        .group_slm_bytes = 64 * 1024,
        .group_size = 1024,
        .least_sub_group = 8,
        .has_double = false,
        .has_images = true,
        .memory_name = "GDDR6",
        .has_stacked_memory = false,
        .memory_clock_mhz = 2187,
        .memory_bus_bits = 256,
        .memory_bandwidth = 560,
        .last_level_cache_bytes = 16 << 20,
    },
    // Two tiles, each with one slice.
    Topology{
        .key = "pvc",
        .name = "Intel(R) Data Center GPU Max 1550 (simulated)",
        .platform = eu::Platform::XeHpc,
        .device_id = 0x0BD5,
        .product_family = 1271,
        .ip_version = ip_version(12, 60, 7),
        .tiles = 2,
        .slices = 2,
        .subslices_per_slice = 64,
        .eus_per_subslice = 8,
        .threads_per_eu = 8,
        .grf_bytes = 64,
        .simd_width = 16,
        .slm_bytes = 128 * 1024,
        .barriers = 32,
        .memory_bytes = std::uint64_t{128} << 30,
        .core_clock_mhz = 1600,
        .group_slm_bytes = 128 * 1024,
        .group_size = 1024,
        .least_sub_group = 16,
        .has_double = true,
        .has_images = false,
        .memory_name = "HBM2e",
        .has_stacked_memory = true,
        .memory_clock_mhz = 1565,
        .memory_bus_bits = 4096,
        .memory_bandwidth = 3276,
        .last_level_cache_bytes = 408 << 20,
    },
    Topology{
        .key = "bmg",
        .name = "Intel(R) Arc(TM) B580 Graphics (simulated)",
        .platform = eu::Platform::Xe2,
        .device_id = 0xE20B,
        .product_family = 1274,
        .ip_version = ip_version(20, 1, 0),
        .tiles = 1,
        .slices = 5,
        .subslices_per_slice = 4,
        .eus_per_subslice = 8,
        .threads_per_eu = 8,
        .grf_bytes = 64,
        .simd_width = 16,
        .slm_bytes = 128 * 1024,
        .barriers = 32,
        .memory_bytes = std::uint64_t{12} << 30,
        .core_clock_mhz = 2850,
        .group_slm_bytes = 128 * 1024,
        .group_size = 1024,
        .least_sub_group = 16,
        .has_double = true,
        .has_images = true,
        .memory_name = "GDDR6",
        .has_stacked_memory = false,
        .memory_clock_mhz = 2375,
        .memory_bus_bits = 192,
        .memory_bandwidth = 456,
        .last_level_cache_bytes = 18 << 20,
    },
};

}  // namespace

std::span<const Topology> topologies() { return kTopologies; }

const Topology* find_topology(std::string_view key) {
  const auto found = std::ranges::find(kTopologies, key, &Topology::key);
  return found == kTopologies.end() ? nullptr : &*found;
}

std::uint32_t ordinal(const Topology& topology, const ThreadId& id) {
  return ((id.slice * topology.subslices_per_slice + id.subslice) * topology.eus_per_subslice +
          id.eu) *
             topology.threads_per_eu +
         id.thread;
}

ThreadId thread_id(const Topology& topology, std::uint32_t ordinal) {
  ThreadId id;
  id.thread = ordinal % topology.threads_per_eu;
  ordinal /= topology.threads_per_eu;
  id.eu = ordinal % topology.eus_per_subslice;
  ordinal /= topology.eus_per_subslice;
  id.subslice = ordinal % topology.subslices_per_slice;
  id.slice = ordinal / topology.subslices_per_slice;
  return id;
}

bool contains(const Topology& topology, const ThreadId& id) {
  return id.slice < topology.slices && id.subslice < topology.subslices_per_slice &&
         id.eu < topology.eus_per_subslice && id.thread < topology.threads_per_eu;
}

}  // namespace xesim::device
