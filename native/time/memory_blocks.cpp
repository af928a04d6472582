#include "time/memory_blocks.hpp"

#include <iterator>
#include <tuple>

namespace xesim::time {

Block freeze(std::span<const std::byte> bytes, const Block& earlier, const ByteCount& total) {
  auto now = device::FrozenBytes::freeze(bytes, earlier.get(), total);
  bool same = earlier != nullptr && earlier->size() == now.size();
  for (std::size_t page = 0; same && page < now.pages(); ++page) {
    same = now.shares_page(page, *earlier);
  }
  return same ? earlier : std::make_shared<const device::FrozenBytes>(std::move(now));
}

AllocationChange difference(const Allocations& before, const Allocations& after) {
  const auto precedes = [](const device::Allocation& one, const device::Allocation& other) {
    return std::tuple(one.address, one.id, one.mapped, one.writable, one.pages) <
           std::tuple(other.address, other.id, other.mapped, other.writable, other.pages);
  };
  AllocationChange change;
  std::ranges::set_difference(after, before, std::back_inserter(change.came), precedes);
  std::ranges::set_difference(before, after, std::back_inserter(change.went), precedes);
  return change;
}

}  // namespace xesim::time
