#include "device/memory_image.hpp"

#include <cstdio>
#include <span>

namespace xesim::device {

namespace {

std::string describe(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace

MemoryImage capture(const Memory& memory, const SurfaceHeap& surfaces) {
  MemoryImage image;
  const std::uint64_t surface_heap = memory.surface_state_base();
  const std::uint64_t used_surfaces = surfaces.used_bytes();
  memory.read_all([&](const Allocation& allocation) {
    const std::span bytes(reinterpret_cast<const std::byte*>(allocation.address),
                          allocation.mapped);
    const std::uint64_t used =
        allocation.address == surface_heap ? used_surfaces : allocation.mapped;
    image.push_back({.address = allocation.address,
                     .mapped = allocation.mapped,
                     .kind = allocation.kind,
                     .writable = allocation.writable,
                     .contents = FrozenBytes::freeze(bytes, nullptr, nullptr, used)});
  });
  return image;
}

std::optional<std::string> check(const MemoryImage& image, const Memory& memory) {
  for (const AllocationState& state : image) {
    const auto found = memory.find(state.address);
    if (!found || found->address != state.address || found->mapped != state.mapped ||
        found->kind != state.kind) {
      return "the allocation of " + std::to_string(state.mapped) + " bytes at " +
             describe(state.address) + " is not there any more";
    }
    if (state.contents.size() != state.mapped) {
      return "the contents of the allocation at " + describe(state.address) + " are incomplete";
    }
  }
  return std::nullopt;
}

void apply(const MemoryImage& image) {
  for (const AllocationState& state : image) {
    state.contents.copy_to(reinterpret_cast<std::byte*>(state.address));
  }
}

}  // namespace xesim::device
