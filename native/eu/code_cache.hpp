// Decoded instructions by address. Instruction memory is ordinary memory that a debugger writes
// breakpoint bits into, so whoever writes there tells the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "eu/instruction.hpp"

namespace xesim::eu {

class CodeCache {
 public:
  explicit CodeCache(Platform platform) : platform_(platform) {}

  // Announces `size` bytes of code that start `offset` bytes after the instruction base.
  // `host` must stay mapped until remove().
  void add(std::uint32_t offset, const std::byte* host, std::uint32_t size);
  void remove(std::uint32_t offset);

  // Forgets what was decoded from [offset, offset + size): call after writing there.
  void invalidate(std::uint32_t offset, std::uint32_t size);

  // The instruction at `offset`, decoded on first use; null outside every announced range or when
  // `offset` is not 8-byte aligned. The pointer is valid until invalidate() or remove().
  const Instruction* fetch(std::uint32_t offset);

 private:
  struct Range {
    const std::byte* host = nullptr;
    std::uint32_t size = 0;
    std::vector<Instruction> decoded;         // dense, in order of first use
    std::vector<std::uint32_t> index;         // by offset / 8: 0 = not decoded, else position + 1
  };
  Platform platform_;
  std::map<std::uint32_t, Range> ranges_;
  Range* last_ = nullptr;
  std::uint32_t last_offset_ = 0;
};

}  // namespace xesim::eu
