// Memory and surface states that a launch holds while it exists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace xesim::device {

class LaunchResources {
 public:
  explicit LaunchResources(Device& device) : device_(device) {}
  ~LaunchResources();
  LaunchResources(const LaunchResources&) = delete;
  LaunchResources& operator=(const LaunchResources&) = delete;

  // `size` bytes of private memory: their address, or nothing when there is no room.
  std::optional<std::uint64_t> allocate(std::uint64_t size);
  // The state's byte offset in the surface heap, or nothing when that is full.
  std::optional<std::uint32_t> add_surface(const SurfaceState& state);
  // The byte offset, in the surface heap, of a binding table of those states' offsets, or nothing.
  std::optional<std::uint32_t> add_binding_table(std::span<const std::uint32_t> states);
  // The first state's byte offset in the sampler heap, or nothing when that is full.
  std::optional<std::uint32_t> add_samplers(std::span<const SamplerState> states);

 private:
  Device& device_;
  std::vector<std::uint64_t> allocations_;
  std::vector<std::uint32_t> surfaces_;
  struct Table {
    std::uint32_t offset;
    std::size_t count;
  };
  std::vector<Table> samplers_;
  std::vector<Table> binding_tables_;
};

}  // namespace xesim::device
