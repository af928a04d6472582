// The program's own memory: what malloc gave it, its stacks, what it has mapped. The device lives in the same
// address space, so the bytes are where the program has them; what is found out here is which of them
// can be read and written without a signal.
//
// The program goes on meanwhile. What it maps is found when it is first used; what it unmaps is noticed
// when a block is looked at again: for the next launch, or at the next turn of a thread once 50 us are over.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace xesim::device {

enum class MemoryUse : std::uint8_t { Read, Write };

// The first of `size` bytes at `address` that the program itself could not use so; nothing: it could use
// all. Their pages are there afterwards, as if it had. On Linux before 5.14 it tells only whether something is
// mapped there.
[[nodiscard]] std::optional<std::uint64_t> first_unusable(std::uint64_t address, std::uint64_t size,
                                                          MemoryUse use);

class ProgramMemory {
 public:
  // Whole pages, [begin, end), which can be read.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool writable = false;
  };

  ProgramMemory();

  // All around `address` that is mapped in one and is equally writable, as Linux lists it in /proc; nothing
  // when nothing is mapped there that can be read, and without a /proc.
  [[nodiscard]] std::optional<Part> stretch(std::uint64_t address);
  // The part of it that is near `address`, all of which can be read, or could 50 us ago.
  [[nodiscard]] std::optional<Part> block(std::uint64_t address);
  // Looks at the list again before it is next used: the program may have changed something.
  void forget();

 private:
  [[nodiscard]] std::optional<Part> look_at_block(std::uint64_t address);

  std::mutex mutex_;
  std::vector<Part> parts_;  // by address; empty: to be read again
  std::atomic<std::uint64_t> generation_;  // changes when what was found is to be forgotten
};

}  // namespace xesim::device
