// Which addresses are reserved, and what is mapped there: the books of zeVirtualMem*, page by page.
// Not locked, and maps nothing itself.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/shared_pages.hpp"

namespace xesim::device {

enum class MemoryAccess : std::uint8_t { None, ReadWrite, ReadOnly };

class VirtualRanges {
 public:
  struct Mapping {
    std::uint64_t size = 0;                      // bytes
    std::uint64_t offset = 0;                    // of its first byte in `pages`
    std::shared_ptr<const SharedPages> pages;
    MemoryAccess access = MemoryAccess::None;
    bool is_host = false;                        // host memory, not the device's
    std::uint64_t id = 0;                        // the same for all parts of what was mapped at once
    const void* owner = nullptr;                 // these two as in Allocation
    const void* device = nullptr;
  };
  using Mappings = std::map<std::uint64_t, Mapping>;  // by address

  void reserve(std::uint64_t address, std::uint64_t size) { reservations_[address] = {size}; }
  // The whole reservation that starts there; its mappings go too. False: there is none of that size.
  bool release(std::uint64_t address, std::uint64_t size);
  // Whether all of it lies in one reservation.
  [[nodiscard]] bool is_reserved(std::uint64_t address, std::uint64_t size) const;

  // Address and size of the reservation that holds `address`.
  [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> reservation(
      std::uint64_t address) const;

  // False when something is mapped there already.
  bool map(std::uint64_t address, Mapping mapping);
  // The mappings in [address, address + size), cut at both ends, in order.
  std::vector<std::pair<std::uint64_t, Mapping*>> within(std::uint64_t address, std::uint64_t size);
  // The mapping that holds `address`, with its first address.
  [[nodiscard]] std::optional<std::pair<std::uint64_t, const Mapping*>> mapping(
      std::uint64_t address) const;
  void unmap(std::uint64_t address) { mappings_.erase(address); }

  // What is said of addresses where nothing is mapped.
  void set_access(std::uint64_t address, MemoryAccess access);
  // The attribute at `address` and how many bytes from there on have it; nothing outside of every
  // reservation.
  [[nodiscard]] std::optional<std::pair<MemoryAccess, std::uint64_t>> access(
      std::uint64_t address) const;

 private:
  struct Reservation {
    std::uint64_t size = 0;
    MemoryAccess access = MemoryAccess::None;
  };
  using Reservations = std::map<std::uint64_t, Reservation>;  // by address

  // The reservation that holds `address`, or end().
  [[nodiscard]] Reservations::const_iterator holding(std::uint64_t address) const;
  void cut(std::uint64_t address);

  Reservations reservations_;
  Mappings mappings_;
};

}  // namespace xesim::device
