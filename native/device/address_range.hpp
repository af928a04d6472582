// A stretch of address space that is reserved once and handed out in page-sized pieces.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace xesim::device {

inline constexpr std::uint64_t kPageBytes = 4096;

// Rounds up to a multiple of a power of two; nothing when that does not fit 64 bits.
[[nodiscard]] std::optional<std::uint64_t> round_up(std::uint64_t value, std::uint64_t alignment);

// Not safe for concurrent use. First fit from the lowest address, so that the same sequence of
// calls gives the same addresses.
class AddressRange {
 public:
  // Reserves `size` bytes at `hint` if that is free, else wherever the system has room; halves the
  // size down to `least` while the system refuses. Check size(): 0 when nothing was free.
  AddressRange(std::uint64_t hint, std::uint64_t size, std::uint64_t least);
  ~AddressRange();
  AddressRange(AddressRange&& other) noexcept;
  AddressRange& operator=(AddressRange&&) = delete;

  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool holds(std::uint64_t address) const { return address - base_ < size_; }

  // `size` bytes (a multiple of a page) of zeroed memory, readable and writable.
  std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment);
  // `size` bytes of addresses at which nothing is, from `start` on if that is free.
  std::optional<std::uint64_t> reserve(std::uint64_t size, std::uint64_t alignment,
                                       std::uint64_t start = 0);
  // Returns what take() or reserve() gave, with its size; the pages are dropped.
  void give_back(std::uint64_t address, std::uint64_t size);

 private:
  // Takes [address, address + size) out of the hole that holds it.
  void occupy(std::map<std::uint64_t, std::uint64_t>::iterator hole, std::uint64_t address,
              std::uint64_t size);

  std::uint64_t base_ = 0;
  std::uint64_t size_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_;  // address to bytes; neighbours are merged
};

}  // namespace xesim::device
