// Says quickly of most accesses that no watched memory is among what they touch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace xesim::eu {

// Addresses of one space. Memory is taken in granules, each of which has a bit that others may share;
// long ranges are in a list instead, or they would set all bits.
class AccessFilter {
 public:
  // Bytes of the longest access that may be asked about.
  static constexpr std::uint64_t kReach = 64;

  // Watches the bytes from `begin` up to `end`, which is not before it.
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    begin -= std::min(begin, kReach - 1);  // where an access that reaches them may begin
    if (span_ == 0) {
      low_ = begin;
      bits_.assign(kBits / 64, 0);
    }
    const std::uint64_t high = std::max(low_ + span_, end);
    low_ = std::min(low_, begin);
    span_ = high - low_;
    if (end - begin > kLongRange) {
      add_long(begin, end);
      return;
    }
    for (std::uint64_t granule = begin / kGranule; granule <= (end - 1) / kGranule; ++granule) {
      bits_[word_of(granule)] |= bit_of(granule);
    }
  }

  [[nodiscard]] bool empty() const { return span_ == 0; }

  // False: an access that begins at `address` touches nothing that is watched.
  [[nodiscard]] bool may_touch(std::uint64_t address) const {
    if (address - low_ >= span_) return false;
    const std::uint64_t granule = address / kGranule;
    return (bits_[word_of(granule)] & bit_of(granule)) != 0 || (!long_.empty() && in_long(address));
  }

 private:
  static constexpr std::uint64_t kGranule = 64;             // bytes
  static constexpr std::uint64_t kLongRange = 64 * 1024;    // bytes
  static constexpr unsigned kHashBits = 16;
  static constexpr std::size_t kBits = std::size_t{1} << kHashBits;

  static std::uint64_t hash(std::uint64_t granule) {
    return granule * 0x9E37'79B9'7F4A'7C15ull >> (64 - kHashBits);
  }
  static std::size_t word_of(std::uint64_t granule) { return hash(granule) / 64; }
  static std::uint64_t bit_of(std::uint64_t granule) { return std::uint64_t{1} << hash(granule) % 64; }

  // Those that overlap become one.
  void add_long(std::uint64_t begin, std::uint64_t end) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> apart;
    for (const auto& [other_begin, other_end] : long_) {
      if (other_end < begin || end < other_begin) {
        apart.emplace_back(other_begin, other_end);
      } else {
        begin = std::min(begin, other_begin);
        end = std::max(end, other_end);
      }
    }
    apart.emplace_back(begin, end);
    std::ranges::sort(apart);
    long_ = std::move(apart);
  }

  [[nodiscard]] bool in_long(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(long_, address, {},
                                                [](const auto& range) { return range.first; });
    return after != long_.begin() && address < std::prev(after)->second;
  }

  std::uint64_t low_ = 0;
  std::uint64_t span_ = 0;                  // bytes from low_ that hold all ranges
  std::vector<std::uint64_t> bits_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> long_;   // by address, apart from each other
};

}  // namespace xesim::eu
