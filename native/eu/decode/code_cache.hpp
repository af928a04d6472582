// Decoded instructions by address. Instruction memory is ordinary memory that a debugger writes
// breakpoint bits into, so a caller that writes there must invalidate the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "eu/isa/instruction.hpp"

namespace xesim::eu {

class CodeCache {
 public:
  explicit CodeCache(Platform platform) : platform_(platform) {}

  // Announces `size` bytes of code that start `offset` bytes after the instruction base, in place
  // of whatever was announced at the same offset. `offset` is 8-byte aligned. Ranges do not
  // overlap. `host` must stay mapped until remove().
  void add(std::uint32_t offset, const std::byte* host, std::uint32_t size);
  void remove(std::uint32_t offset);

  // Forgets what was decoded from [offset, offset + size): call after writing there.
  void invalidate(std::uint32_t offset, std::uint32_t size);

  // The instruction at `offset`, decoded on first use; null outside every announced range or when
  // `offset` is not 8-byte aligned. The pointer is valid until invalidate() or remove().
  const Instruction* fetch(std::uint32_t offset) {
    const std::uint32_t distance = offset - last_offset_;
    if (last_ != nullptr && distance < last_->size && distance % kGranule == 0) {
      const Entry& entry = last_->entries[distance / kGranule];
      if (entry.decoded) return entry.instruction;
    }
    return decode_at(offset);
  }

 private:
  static constexpr std::uint32_t kGranule = 8;  // bytes; instructions start at multiples of it

  struct Entry {
    Instruction* instruction = nullptr;  // in Range::storage, once the offset has been executed
    bool decoded = false;                // and still what memory says
  };
  struct Range {
    const std::byte* host = nullptr;
    std::uint32_t size = 0;
    std::vector<Entry> entries;       // by distance / kGranule; none before the first fetch
    std::deque<Instruction> storage;  // a deque, because pointers must survive its growth
  };

  // The range that holds `offset`, which becomes the last one; or null.
  Range* find(std::uint32_t offset);
  const Instruction* decode_at(std::uint32_t offset);

  Platform platform_;
  std::map<std::uint32_t, Range> ranges_;
  Range* last_ = nullptr;
  std::uint32_t last_offset_ = 0;
};

}  // namespace xesim::eu
