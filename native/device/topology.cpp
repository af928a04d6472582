#include "device/topology.hpp"

#include <algorithm>
#include <array>

namespace xesim::device {

namespace {

constexpr auto kTopologies = [] {
  std::array<Topology, kDeviceRows.size()> topologies{};
  for (std::size_t index = 0; index < topologies.size(); ++index) {
    topologies[index] = Topology{kDeviceRows[index]};
  }
  return topologies;
}();

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
