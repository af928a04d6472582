// How many work-items and groups of a kernel fit.
#include <algorithm>

#include "driver/kernel.hpp"

namespace xesim::driver {

namespace {

// Hardware threads of one subslice; large register files halve them.
std::uint32_t subslice_threads(const device::Topology& topology, const zebin::Kernel& kernel) {
  const std::uint32_t threads = topology.eus_per_subslice * topology.threads_per_eu;
  return kernel.grf_count > 128 ? threads / 2 : threads;
}

}  // namespace

std::uint32_t Kernel::maximum_group_size() const {
  const device::Topology& topology = module_->device().topology();
  return std::min(topology.group_size,
                  subslice_threads(topology, description_) * description_.simd_size);
}

std::uint32_t Kernel::resident_groups() const {
  const device::Topology& topology = module_->device().topology();
  const std::uint32_t items = group_size_[0] * group_size_[1] * group_size_[2];
  const std::uint32_t threads =
      std::max(1u, (items + description_.simd_size - 1) / description_.simd_size);
  std::uint32_t groups = subslice_threads(topology, description_) / threads;
  if (description_.slm_size > 0) {
    groups = std::min(groups, topology.slm_bytes / description_.slm_size);
  }
  if (description_.barrier_count > 0) {
    groups = std::min(groups, topology.barriers / description_.barrier_count);
  }
  return groups * topology.slices * topology.subslices_per_slice;
}

}  // namespace xesim::driver
