#include "time/past_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace xesim::time {

PastMemory::Copy::Copy(std::uint64_t bytes_wanted) : size(bytes_wanted) {
  void* const made = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) {
    throw std::bad_alloc();
  }
  bytes = static_cast<std::byte*>(made);
}

PastMemory::Copy::~Copy() {
  if (bytes != nullptr) {
    ::munmap(bytes, size);
  }
}

PastMemory::Copy::Copy(Copy&& other) noexcept
    : bytes(std::exchange(other.bytes, nullptr)), size(other.size) {}

void PastMemory::show(const device::MemoryImage& image) {
  std::map<std::uint64_t, Region> regions;
  for (const device::AllocationState& state : image) {
    Region& region = regions[state.address];
    region.shown = &state;
    const auto before = regions_.find(state.address);
    if (before != regions_.end() && before->second.copy &&
        before->second.copy->size == state.mapped) {
      region.copy.emplace(std::move(*before->second.copy));
      region.copied = std::move(before->second.copied);
      region.written = before->second.written;
    }
  }
  regions_ = std::move(regions);
}

void PastMemory::fill(Region& region) {
  const bool is_new = !region.copy;
  if (is_new) {
    region.copy.emplace(region.shown->mapped);
  }
  const device::FrozenBytes& contents = region.shown->contents;
  for (std::size_t page = 0; page < contents.pages(); ++page) {
    // A new copy is all zeroes.
    const bool is_there =
        is_new ? contents.page(page) == nullptr
               : !region.written && contents.shares_page(page, region.copied);
    if (!is_there) {
      contents.copy_page(page, region.copy->bytes + page * device::kFrozenPageBytes);
    }
  }
  region.copied = contents;
  region.written = false;
  region.filled = true;
}

PastMemory::Region* PastMemory::find(std::uint64_t address) {
  auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) {
    return nullptr;
  }
  Region& region = std::prev(after)->second;
  if (address - region.shown->address >= region.shown->mapped) {
    return nullptr;
  }
  if (!region.filled) {
    fill(region);
  }
  return &region;
}

eu::MemoryWindow PastMemory::window(std::uint64_t address) {
  Region* const region = find(address);
  if (region == nullptr) {
    return {};
  }
  const device::AllocationState& state = *region->shown;
  const bool writable = state.writable && state.kind != device::AllocationKind::Code;
  region->written |= writable;
  return {state.address, state.mapped, region->copy->bytes, writable};
}

std::byte* PastMemory::host(std::uint64_t address) {
  const Region* const region = find(address);
  return region == nullptr ? nullptr : region->copy->bytes + (address - region->shown->address);
}

std::uint64_t PastMemory::room(std::uint64_t address) const {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) {
    return 0;
  }
  const device::AllocationState& state = *std::prev(after)->second.shown;
  const std::uint64_t within = address - state.address;
  return within < state.mapped ? state.mapped - within : 0;
}

bool PastMemory::read(std::uint64_t address, void* data, std::uint64_t size) {
  auto* to = static_cast<std::byte*>(data);
  while (size != 0) {
    const std::uint64_t part = std::min(room(address), size);
    if (part == 0) {
      return false;
    }
    std::memcpy(to, host(address), part);
    to += part;
    address += part;
    size -= part;
  }
  return true;
}

bool PastMemory::write(std::uint64_t address, const void* data, std::uint64_t size) {
  const auto* from = static_cast<const std::byte*>(data);
  while (size != 0) {
    const std::uint64_t part = std::min(room(address), size);
    if (part == 0) {
      return false;
    }
    std::memcpy(host(address), from, part);
    find(address)->written = true;
    from += part;
    address += part;
    size -= part;
  }
  return true;
}

device::MemoryImage PastMemory::capture(
    const std::shared_ptr<std::atomic<std::uint64_t>>& total) const {
  device::MemoryImage image;
  for (const auto& [address, region] : regions_) {
    device::AllocationState state = *region.shown;
    if (region.filled && region.written) {
      state.contents = device::FrozenBytes::freeze({region.copy->bytes, state.mapped},
                                                   &region.shown->contents, total);
    }
    image.push_back(std::move(state));
  }
  return image;
}

bool PastMemory::differs(const device::MemoryImage& image) const {
  return std::ranges::any_of(image, [this](const device::AllocationState& then) {
    const auto found = regions_.find(then.address);
    if (found == regions_.end() || found->second.shown->mapped != then.mapped) {
      return false;  // it came or went
    }
    const Region& region = found->second;
    const bool may_differ = region.filled && region.written;
    for (std::size_t page = 0; page < then.contents.pages(); ++page) {
      const bool same =
          may_differ
              ? then.contents.page_equals(page,
                                          region.copy->bytes + page * device::kFrozenPageBytes)
              : then.contents.shares_page(page, region.shown->contents);
      if (!same) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace xesim::time
