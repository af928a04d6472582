#include "device/virtual_ranges.hpp"

namespace xesim::device {

VirtualRanges::Reservations::const_iterator VirtualRanges::holding(std::uint64_t address) const {
  auto next = reservations_.upper_bound(address);
  if (next == reservations_.begin()) {
    return reservations_.end();
  }
  const auto candidate = std::prev(next);
  return address - candidate->first < candidate->second.size ? candidate : reservations_.end();
}

bool VirtualRanges::release(std::uint64_t address, std::uint64_t size) {
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || found->second.size != size) {
    return false;
  }
  mappings_.erase(mappings_.lower_bound(address), mappings_.lower_bound(address + size));
  reservations_.erase(found);
  return true;
}

bool VirtualRanges::is_reserved(std::uint64_t address, std::uint64_t size) const {
  const auto found = holding(address);
  return found != reservations_.end() && size <= found->second.size - (address - found->first);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> VirtualRanges::reservation(
    std::uint64_t address) const {
  const auto found = holding(address);
  if (found == reservations_.end()) {
    return std::nullopt;
  }
  return std::pair(found->first, found->second.size);
}

bool VirtualRanges::map(std::uint64_t address, Mapping mapping) {
  const auto next = mappings_.lower_bound(address);
  if (next != mappings_.end() && next->first - address < mapping.size) {
    return false;
  }
  if (next != mappings_.begin()) {
    const auto previous = std::prev(next);
    if (address - previous->first < previous->second.size) {
      return false;
    }
  }
  mappings_.emplace(address, std::move(mapping));
  return true;
}

std::optional<std::pair<std::uint64_t, const VirtualRanges::Mapping*>> VirtualRanges::mapping(
    std::uint64_t address) const {
  const auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin()) {
    return std::nullopt;
  }
  const auto& [start, mapping] = *std::prev(next);
  return address - start < mapping.size ? std::optional(std::pair(start, &mapping)) : std::nullopt;
}

void VirtualRanges::cut(std::uint64_t address) {
  const auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin()) {
    return;
  }
  auto& [start, mapping] = *std::prev(next);
  const std::uint64_t front = address - start;
  if (front == 0 || front >= mapping.size) {
    return;
  }
  Mapping rest = mapping;
  rest.size -= front;
  rest.offset += front;
  mapping.size = front;
  mappings_.emplace(address, std::move(rest));
}

std::vector<std::pair<std::uint64_t, VirtualRanges::Mapping*>> VirtualRanges::within(
    std::uint64_t address, std::uint64_t size) {
  cut(address);
  cut(address + size);
  std::vector<std::pair<std::uint64_t, Mapping*>> found;
  for (auto at = mappings_.lower_bound(address); at != mappings_.end() && at->first - address < size;
       ++at) {
    found.emplace_back(at->first, &at->second);
  }
  return found;
}

void VirtualRanges::set_access(std::uint64_t address, MemoryAccess access) {
  const auto found = holding(address);
  if (found != reservations_.end()) {
    reservations_[found->first].access = access;
  }
}

std::optional<std::pair<MemoryAccess, std::uint64_t>> VirtualRanges::access(
    std::uint64_t address) const {
  const auto found = holding(address);
  if (found == reservations_.end()) {
    return std::nullopt;
  }
  if (const auto here = mapping(address)) {
    return std::pair(here->second->access, here->second->size - (address - here->first));
  }
  const auto next = mappings_.upper_bound(address);
  const std::uint64_t end = found->first + found->second.size;
  const bool is_next_inside = next != mappings_.end() && next->first < end;
  return std::pair(found->second.access, (is_next_inside ? next->first : end) - address);
}

}  // namespace xesim::device
