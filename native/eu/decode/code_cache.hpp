// Decoded instructions by address. Instruction memory is ordinary memory that a debugger writes
// breakpoint bits into, so a caller that writes there must invalidate the cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "eu/isa/instruction.hpp"

namespace xesim::eu {

class CodeCache {
 public:
  explicit CodeCache(Platform platform) : platform_(platform) {}
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;

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
    if (next_->offset != offset) return look_up(offset);
    return &next_++->instruction;
  }

 private:
  static constexpr std::uint32_t kGranule = 8;  // bytes; instructions start at multiples of it
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};  // equal to no offset
  static constexpr std::size_t kBlockSlots = 32;

  struct alignas(64) Slot {
    std::uint64_t offset = kNowhere;  // of the instruction; kNowhere once memory says another
    Instruction instruction;
  };
  // Instructions in the order of their first execution, which is mostly that of later ones, too.
  // The last slot stays empty: what is after any instruction can be looked at.
  using Block = std::array<Slot, kBlockSlots + 1>;

  struct Range {
    const std::byte* host = nullptr;
    std::uint32_t size = 0;
    std::vector<Slot*> slots;  // by distance / kGranule, null until executed; none before the first fetch
    std::vector<std::unique_ptr<Block>> blocks;
    std::size_t used = kBlockSlots;  // slots of the last block
  };

  // The range that holds `offset`, which becomes the last one; or null.
  Range* find(std::uint32_t offset);
  // As fetch(), for an instruction that does not stand after the one of the last call.
  const Instruction* look_up(std::uint32_t offset);
  const Instruction* take(Slot& slot) {
    next_ = &slot + 1;
    return &slot.instruction;
  }

  Platform platform_;
  std::map<std::uint32_t, Range> ranges_;
  Range* last_ = nullptr;
  std::uint32_t last_offset_ = 0;
  Slot nowhere_;            // stands for what is after no instruction
  Slot* next_ = &nowhere_;  // after the instruction that was fetched last
};

}  // namespace xesim::eu
