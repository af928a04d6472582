#include "device/launch_resources.hpp"

namespace xesim::device {

LaunchResources::~LaunchResources() {
  for (const std::uint32_t surface : surfaces_) {
    device_.surfaces().remove(surface);
  }
  for (const Table& table : binding_tables_) {
    device_.surfaces().remove_table(table.offset, table.count);
  }
  for (const Table& table : samplers_) {
    device_.samplers().remove(table.offset, table.count);
  }
  for (const std::uint64_t address : allocations_) {
    device_.memory().release(address);
  }
}

std::optional<std::uint64_t> LaunchResources::allocate(std::uint64_t size) {
  const auto made = device_.memory().allocate(AllocationKind::Private, size, 0, nullptr);
  if (!made) {
    return std::nullopt;
  }
  allocations_.push_back(made->address);
  return made->address;
}

std::optional<std::uint32_t> LaunchResources::add_surface(const SurfaceState& state) {
  const auto offset = device_.surfaces().add(state);
  if (offset) {
    surfaces_.push_back(*offset);
  }
  return offset;
}

std::optional<std::uint32_t> LaunchResources::add_binding_table(
    std::span<const std::uint32_t> states) {
  const auto offset = device_.surfaces().add_table(states);
  if (offset) {
    binding_tables_.push_back({*offset, states.size()});
  }
  return offset;
}

std::optional<std::uint32_t> LaunchResources::add_samplers(std::span<const SamplerState> states) {
  const auto offset = device_.samplers().add(states);
  if (offset) {
    samplers_.push_back({*offset, states.size()});
  }
  return offset;
}

}  // namespace xesim::device
