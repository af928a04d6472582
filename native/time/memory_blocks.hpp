// Global memory as recordings keep it: a list of what is allocated, and immutable copies of blocks of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device/frozen_bytes.hpp"
#include "device/memory.hpp"

namespace xesim::time {

// Bytes that are kept, over all recordings of a device.
using ByteCount = std::shared_ptr<std::atomic<std::uint64_t>>;

// Allocations are kept in blocks of so many bytes, from their first byte on: of a large one, only what a
// launch uses.
inline constexpr std::uint64_t kBlockBytes = 256 * 1024;

using Block = std::shared_ptr<const device::FrozenBytes>;
using Blocks = std::map<std::uint64_t, Block>;   // by address

// The block of `allocation` that holds `address`.
struct BlockPlace {
  BlockPlace(const device::Allocation& allocation, std::uint64_t address)
      : begin(allocation.address + (address - allocation.address) / kBlockBytes * kBlockBytes),
        size(std::min(kBlockBytes, allocation.address + allocation.mapped - begin)) {}
  std::uint64_t begin;
  std::uint64_t size;  // bytes
};

// `bytes` as they are now: `earlier` itself where nothing changed, else a copy that shares pages with it.
// `earlier` may be null.
[[nodiscard]] Block freeze(std::span<const std::byte> bytes, const Block& earlier,
                           const ByteCount& total);

// What is allocated, by address.
using Allocations = std::vector<device::Allocation>;

struct AllocationChange {
  Allocations came;
  Allocations went;
};
[[nodiscard]] AllocationChange difference(const Allocations& before, const Allocations& after);
// Whether it is the same memory, whoever may write it.
[[nodiscard]] inline bool is_same(const device::Allocation& one, const device::Allocation& other) {
  return one.address == other.address && one.id == other.id && one.mapped == other.mapped;
}

// Whether both have some of the same pages, at different addresses.
[[nodiscard]] inline bool share_pages(const device::Allocation& one, const device::Allocation& other) {
  return one.pages != 0 && one.pages == other.pages && one.address != other.address &&
         one.pages_offset < other.pages_offset + other.mapped &&
         other.pages_offset < one.pages_offset + one.mapped;
}

// Stretches of addresses; neighbours are joined. What is added is there already, or no part of it is.
class Stretches {
 public:
  struct Stretch {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  void add(std::uint64_t begin, std::uint64_t end) {
    if (find(begin)) {
      return;
    }
    const auto after = ends_.lower_bound(end);
    if (after != ends_.end() && after->first == end) {
      end = after->second;
      ends_.erase(after);
    }
    const auto next = ends_.upper_bound(begin);
    if (next != ends_.begin() && std::prev(next)->second == begin) {
      std::prev(next)->second = end;
    } else {
      ends_[begin] = end;
    }
  }
  [[nodiscard]] std::optional<Stretch> find(std::uint64_t address) const {
    const auto after = ends_.upper_bound(address);
    if (after == ends_.begin() || address >= std::prev(after)->second) {
      return std::nullopt;
    }
    return Stretch{std::prev(after)->first, std::prev(after)->second};
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;   // by begin
};

}  // namespace xesim::time
