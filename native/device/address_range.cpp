#include "device/address_range.hpp"

#include <sys/mman.h>

#include <iterator>
#include <utility>

namespace xesim::device {

namespace {

// Addresses are numbers here and pointers to the system: this is the one place that converts.
void* as_pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

constexpr int kReserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// Under ThreadSanitizer memory has its places elsewhere.
#ifdef __SANITIZE_THREAD__
constexpr bool kChoosesPlaces = false;
#else
constexpr bool kChoosesPlaces = true;
#endif

}  // namespace

std::optional<std::uint64_t> round_up(std::uint64_t value, std::uint64_t alignment) {
  if (value > UINT64_MAX - (alignment - 1)) {
    return std::nullopt;
  }
  return (value + alignment - 1) & ~(alignment - 1);
}

AddressRange::AddressRange(std::uint64_t hint, std::uint64_t size, std::uint64_t least) {
  for (; size >= least; size /= 2) {
    void* place = MAP_FAILED;
    if (kChoosesPlaces) {
      place = mmap(as_pointer(hint), size, PROT_NONE, kReserve | MAP_FIXED_NOREPLACE, -1, 0);
    }
    if (place == MAP_FAILED) {
      place = mmap(nullptr, size, PROT_NONE, kReserve, -1, 0);
    }
    if (place != MAP_FAILED) {
      base_ = reinterpret_cast<std::uintptr_t>(place);
      size_ = size;
      free_.emplace(base_, size_);
      return;
    }
  }
}

AddressRange::AddressRange(AddressRange&& other) noexcept
    : base_(other.base_),
      size_(std::exchange(other.size_, 0)),
      free_(std::exchange(other.free_, {})) {}

AddressRange::~AddressRange() {
  if (size_ != 0) {
    munmap(as_pointer(base_), size_);
  }
}

void AddressRange::occupy(std::map<std::uint64_t, std::uint64_t>::iterator hole,
                          std::uint64_t address, std::uint64_t size) {
  const auto [start, bytes] = *hole;
  const std::uint64_t end = start + bytes;
  free_.erase(hole);
  if (address != start) {
    free_.emplace(start, address - start);
  }
  if (address + size != end) {
    free_.emplace(address + size, end - address - size);
  }
}

std::optional<std::uint64_t> AddressRange::reserve(std::uint64_t size, std::uint64_t alignment,
                                                   std::uint64_t start) {
  const auto next = free_.upper_bound(start);
  if (next != free_.begin()) {
    const auto hole = std::prev(next);
    const std::uint64_t front = start - hole->first;
    if (front <= hole->second && size <= hole->second - front) {
      occupy(hole, start, size);
      return start;
    }
  }
  for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
    const auto address = round_up(hole->first, alignment);
    if (!address || *address - hole->first > hole->second ||
        hole->second - (*address - hole->first) < size) {
      continue;
    }
    occupy(hole, *address, size);
    return address;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> AddressRange::take(std::uint64_t size, std::uint64_t alignment) {
  const auto address = reserve(size, alignment);
  if (address && mprotect(as_pointer(*address), size, PROT_READ | PROT_WRITE) != 0) {
    give_back(*address, size);
    return std::nullopt;
  }
  return address;
}

void AddressRange::give_back(std::uint64_t address, std::uint64_t size) {
  // A fresh mapping over the old one drops the pages, so that the next owner sees zeroes.
  mmap(as_pointer(address), size, PROT_NONE, kReserve | MAP_FIXED, -1, 0);
  auto next = free_.lower_bound(address);
  if (next != free_.end() && next->first == address + size) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size;
      return;
    }
  }
  free_.emplace(address, size);
}

}  // namespace xesim::device
