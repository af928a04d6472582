#include "eu/decode/code_cache.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "eu/decode/decode.hpp"

namespace xesim::eu {

void CodeCache::add(std::uint32_t offset, const std::byte* host, std::uint32_t size) {
  remove(offset);
  Range& range = ranges_[offset];
  range.host = host;
  range.size = size;
}

void CodeCache::remove(std::uint32_t offset) {
  last_ = nullptr;
  next_ = &nowhere_;
  ranges_.erase(offset);
}

void CodeCache::invalidate(std::uint32_t offset, std::uint32_t size) {
  for (auto& [start, range] : ranges_) {
    // In 64 bits, so that a range at the end of the address space does not wrap around. The first
    // byte may be the second half of an instruction that starts one granule before it.
    const std::uint64_t first = std::max<std::uint64_t>(offset, start + std::uint64_t{kGranule});
    const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{offset} + size,
                                                      std::uint64_t{start} + range.size);
    if (range.slots.empty() || offset >= std::uint64_t{start} + range.size || end <= start) {
      continue;
    }
    const std::size_t from = (first - start) / kGranule - 1;
    const std::size_t to = (end - start + kGranule - 1) / kGranule;
    for (std::size_t i = from; i < to; ++i) {
      if (range.slots[i] != nullptr) range.slots[i]->offset = kNowhere;
    }
  }
}

CodeCache::Range* CodeCache::find(std::uint32_t offset) {
  const auto after = ranges_.upper_bound(offset);
  if (after == ranges_.begin()) return nullptr;
  auto& [start, range] = *std::prev(after);
  if (offset - start >= range.size) return nullptr;
  if (range.slots.empty()) range.slots.resize((range.size + kGranule - 1) / kGranule);
  last_ = &range;
  last_offset_ = start;
  return last_;
}

const Instruction* CodeCache::look_up(std::uint32_t offset) {
  Range* range = last_;
  if (range == nullptr || offset - last_offset_ >= range->size) range = find(offset);
  if (range == nullptr) return nullptr;
  const std::uint32_t distance = offset - last_offset_;
  if (distance % kGranule != 0) return nullptr;
  Slot*& slot = range->slots[distance / kGranule];
  if (slot != nullptr && slot->offset == offset) return take(*slot);
  // A slot that was invalidated is used again: breakpoints that come and go cost no memory.
  if (slot == nullptr) {
    if (range->used == kBlockSlots) {
      range->blocks.push_back(std::make_unique<Block>());
      range->used = 0;
    }
    slot = &(*range->blocks.back())[range->used++];
  }
  const std::span<const std::byte> code(range->host + distance, range->size - distance);
  slot->instruction = decode(platform_, code);
  slot->offset = offset;
  return take(*slot);
}

}  // namespace xesim::eu
