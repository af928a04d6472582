#include "time/past_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace xesim::time {

namespace {

bool have_the_same_page(const device::FrozenBytes& one, const device::FrozenBytes& other,
                        std::size_t page) {
  if (one.shares_page(page, other)) {
    return true;
  }
  const std::byte* const bytes = other.page(page);
  return bytes != nullptr ? one.page_equals(page, bytes) : other.page_equals(page, one.page(page));
}

bool are_the_same(const device::FrozenBytes& one, const device::FrozenBytes& other) {
  bool same = one.size() == other.size();
  for (std::size_t page = 0; same && page < one.pages(); ++page) {
    same = have_the_same_page(one, other, page);
  }
  return same;
}

}  // namespace

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

void PastMemory::show(std::shared_ptr<const Keyframe> keyframe) {
  keyframe_ = std::move(keyframe);
  std::map<std::uint64_t, Region> regions;
  for (const device::Allocation& allocation : *keyframe_->allocations) {
    Region& region = regions[allocation.address];
    region.allocation = allocation;
    const auto before = regions_.find(allocation.address);
    if (before != regions_.end() && before->second.copy &&
        is_same(before->second.allocation, allocation)) {
      region.copy.emplace(std::move(*before->second.copy));
      region.copied = std::move(before->second.copied);
      region.written = before->second.written;
    }
  }
  regions_ = std::move(regions);
}

void PastMemory::change(const AllocationChange& change) {
  for (const device::Allocation& gone : change.went) {
    const auto stays = std::ranges::find_if(
        change.came, [&](const device::Allocation& each) { return is_same(each, gone); });
    const auto found = regions_.find(gone.address);
    if (found != regions_.end() && stays != change.came.end()) {
      found->second.allocation = *stays;
    } else if (found != regions_.end()) {
      regions_.erase(found);
    }
  }
  for (const device::Allocation& allocation : change.came) {
    regions_.try_emplace(allocation.address).first->second.allocation = allocation;
  }
}

const Block* PastMemory::shown(const Region& region, std::uint64_t begin) const {
  const auto first = recording_.first_used.find({region.allocation.id, begin});
  if (first == recording_.first_used.end()) {
    return nullptr;
  }
  const auto later = keyframe_->blocks.find(begin);
  // Another allocation may have been there when the keyframe was taken.
  const auto listed = std::ranges::lower_bound(*keyframe_->allocations, region.allocation.address,
                                               {}, &device::Allocation::address);
  const bool is_later = later != keyframe_->blocks.end() &&
                        listed != keyframe_->allocations->end() &&
                        is_same(*listed, region.allocation);
  return is_later ? &later->second : &first->second;
}

void PastMemory::fill(Region& region) {
  if (!region.copy) {
    region.copy.emplace(region.allocation.mapped);
  }
  const auto& [id, address] = std::pair(region.allocation.id, region.allocation.address);
  const auto end = recording_.first_used.lower_bound({id, address + region.allocation.mapped});
  for (auto each = recording_.first_used.lower_bound({id, address}); each != end; ++each) {
    fill_block(region, each->first.second, *shown(region, each->first.second));
  }
  region.written = false;
  region.filled = true;
}

void PastMemory::fill_block(Region& region, std::uint64_t begin, const Block& block) {
  Block& before = region.copied[begin];
  std::byte* const to = region.copy->bytes + (begin - region.allocation.address);
  for (std::size_t page = 0; page < block->pages() && (region.written || before != block);
       ++page) {
    // A new copy is all zeroes.
    const bool is_there = before == nullptr
                              ? block->page(page) == nullptr
                              : !region.written && block->shares_page(page, *before);
    if (!is_there) {
      block->copy_page(page, to + page * device::kFrozenPageBytes);
    }
  }
  before = block;
  region.stretches.add(begin, begin + block->size());
}

PastMemory::Region* PastMemory::find(std::uint64_t address) {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) {
    return nullptr;
  }
  Region& region = std::prev(after)->second;
  return address - region.allocation.address < region.allocation.mapped ? &region : nullptr;
}

std::optional<Stretches::Stretch> PastMemory::stretch_at(Region& region, std::uint64_t address) {
  if (!region.filled) {
    fill(region);
  }
  if (const auto found = region.stretches.find(address)) {
    return found;
  }
  // The launch may have used it since.
  const BlockPlace place(region.allocation, address);
  const Block* const block = shown(region, place.begin);
  if (block == nullptr) {
    return std::nullopt;
  }
  fill_block(region, place.begin, *block);
  return region.stretches.find(address);
}

eu::MemoryWindow PastMemory::window(std::uint64_t address) {
  Region* const region = find(address);
  const auto stretch = region == nullptr ? std::nullopt : stretch_at(*region, address);
  if (!stretch) {
    return {};
  }
  const device::Allocation& allocation = region->allocation;
  const bool writable = allocation.writable && allocation.kind != device::AllocationKind::Code;
  region->written |= writable;
  return {stretch->begin, stretch->end - stretch->begin,
          region->copy->bytes + (stretch->begin - allocation.address), writable};
}

std::byte* PastMemory::host(std::uint64_t address) {
  Region* const region = find(address);
  return region != nullptr && stretch_at(*region, address)
             ? region->copy->bytes + (address - region->allocation.address)
             : nullptr;
}

bool PastMemory::read_present(const Region& region, std::uint64_t address, void* data,
                              std::uint64_t size) {
  bool is_there = false;
  // It may have been written since a launch that is over.
  if (!recording_.finished) {
    static_cast<void>(present_.read_at(address, [&](const device::Allocation& allocation) {
      is_there = is_same(allocation, region.allocation);
      if (is_there) {
        std::memcpy(data, reinterpret_cast<const void*>(address), size);
      }
    }));
  }
  return is_there;
}

bool PastMemory::read(std::uint64_t address, void* data, std::uint64_t size) {
  auto* to = static_cast<std::byte*>(data);
  while (size != 0) {
    Region* const region = find(address);
    if (region == nullptr) {
      return false;
    }
    const BlockPlace place(region->allocation, address);
    const std::uint64_t part = std::min(place.begin + place.size - address, size);
    if (const std::byte* const from = host(address)) {
      std::memcpy(to, from, part);
    } else if (!read_present(*region, address, to, part)) {
      return false;
    }
    to += part;
    address += part;
    size -= part;
  }
  return true;
}

bool PastMemory::write(std::uint64_t address, const void* data, std::uint64_t size) {
  const auto* from = static_cast<const std::byte*>(data);
  while (size != 0) {
    std::byte* const to = host(address);
    if (to == nullptr) {
      return false;
    }
    Region& region = *find(address);
    const BlockPlace place(region.allocation, address);
    const std::uint64_t part = std::min(place.begin + place.size - address, size);
    std::memcpy(to, from, part);
    region.written = true;
    from += part;
    address += part;
    size -= part;
  }
  return true;
}

void PastMemory::capture(Keyframe& keyframe, const ByteCount& total) const {
  Allocations allocations;
  for (const auto& [address, region] : regions_) {
    allocations.push_back(region.allocation);
    if (!region.filled) {
      const auto end = keyframe_->blocks.lower_bound(address + region.allocation.mapped);
      for (auto each = keyframe_->blocks.lower_bound(address); each != end; ++each) {
        if (const Block* const block = shown(region, each->first)) {
          keyframe.blocks.emplace(each->first, *block);
        }
      }
      continue;
    }
    for (const auto& [begin, block] : region.copied) {
      const std::span bytes(region.copy->bytes + (begin - address), block->size());
      keyframe.blocks.emplace(begin, region.written ? freeze(bytes, block, total) : block);
    }
  }
  keyframe.allocations = has_allocations_of(*keyframe_)
                             ? keyframe_->allocations
                             : std::make_shared<const Allocations>(std::move(allocations));
}

bool PastMemory::has_allocations_of(const Keyframe& keyframe) const {
  return std::ranges::equal(*keyframe.allocations, regions_, [](const auto& one, const auto& other) {
    return is_same(one, other.second.allocation) &&
           one.writable == other.second.allocation.writable;
  });
}

bool PastMemory::differs(const Keyframe& keyframe) const {
  return std::ranges::any_of(keyframe.blocks, [this](const auto& each) {
    const auto& [begin, then] = each;
    const auto after = regions_.upper_bound(begin);
    if (after == regions_.begin()) {
      return false;
    }
    const Region& region = std::prev(after)->second;
    const Block* const before = shown(region, begin);
    if (before == nullptr || begin - region.allocation.address >= region.allocation.mapped ||
        (*before)->size() != then->size()) {
      return false;  // another allocation
    }
    if (!region.filled || !region.written || !region.copied.contains(begin)) {
      return *before != then && !are_the_same(**before, *then);
    }
    const std::byte* const now = region.copy->bytes + (begin - region.allocation.address);
    for (std::size_t page = 0; page < then->pages(); ++page) {
      if (!then->page_equals(page, now + page * device::kFrozenPageBytes)) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace xesim::time
