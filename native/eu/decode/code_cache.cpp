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
  ranges_.erase(offset);
}

void CodeCache::invalidate(std::uint32_t offset, std::uint32_t size) {
  for (auto& [start, range] : ranges_) {
    // In 64 bits, so that a range at the end of the address space does not wrap around. The first
    // byte may be the second half of an instruction that starts one granule before it.
    const std::uint64_t first = std::max<std::uint64_t>(offset, start + std::uint64_t{kGranule});
    const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{offset} + size,
                                                      std::uint64_t{start} + range.size);
    if (range.entries.empty() || offset >= std::uint64_t{start} + range.size || end <= start) {
      continue;
    }
    const std::size_t from = (first - start) / kGranule - 1;
    const std::size_t to = (end - start + kGranule - 1) / kGranule;
    for (std::size_t i = from; i < to; ++i) range.entries[i].decoded = false;
  }
}

CodeCache::Range* CodeCache::find(std::uint32_t offset) {
  const auto after = ranges_.upper_bound(offset);
  if (after == ranges_.begin()) return nullptr;
  auto& [start, range] = *std::prev(after);
  if (offset - start >= range.size) return nullptr;
  if (range.entries.empty()) range.entries.resize((range.size + kGranule - 1) / kGranule);
  last_ = &range;
  last_offset_ = start;
  return last_;
}

const Instruction* CodeCache::decode_at(std::uint32_t offset) {
  Range* range = find(offset);
  if (range == nullptr) return nullptr;
  const std::uint32_t distance = offset - last_offset_;
  if (distance % kGranule != 0) return nullptr;
  Entry& entry = range->entries[distance / kGranule];
  if (!entry.decoded) {
    // A slot that was invalidated is used again: breakpoints that come and go cost no memory.
    if (entry.instruction == nullptr) entry.instruction = &range->storage.emplace_back();
    const std::span<const std::byte> code(range->host + distance, range->size - distance);
    *entry.instruction = decode(platform_, code);
    entry.decoded = true;
  }
  return entry.instruction;
}

}  // namespace xesim::eu
