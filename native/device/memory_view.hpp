// Where the bytes of global memory are: in the memory itself, or in a copy of it as it was.
#pragma once

#include <cstdint>

#include "device/memory.hpp"
#include "eu/thread/environment.hpp"

namespace xesim::device {

class MemoryView {
 public:
  virtual ~MemoryView() = default;
  // The allocation that holds `address`, or a part of it, and where its bytes are; an empty window when
  // there is none.
  // Valid until the view shows something else.
  virtual eu::MemoryWindow window(std::uint64_t address) = 0;
};

// Where the program's own memory around `address` is, if threads may use it; else an empty window.
[[nodiscard]] inline eu::MemoryWindow program_window(const Memory& memory, std::uint64_t address) {
  ProgramMemory* const program = memory.program_memory(address);
  const auto block = program != nullptr ? program->block(address) : std::nullopt;
  if (!block) {
    return {};
  }
  return {block->begin, block->end - block->begin, reinterpret_cast<std::byte*>(block->begin),
          block->writable};
}

// An address is that of its byte in the host's memory.
class PresentMemory final : public MemoryView {
 public:
  explicit PresentMemory(const Memory& memory) : memory_(memory) {}

  // Is asked instead: sees what is used, and may answer with less of an allocation. Null: nobody.
  MemoryView* witness = nullptr;

  eu::MemoryWindow window(std::uint64_t address) override {
    if (witness != nullptr) {
      return witness->window(address);
    }
    const auto allocation = memory_.find(address);
    if (!allocation) {
      return program_window(memory_, address);
    }
    return {allocation->address, allocation->mapped,
            reinterpret_cast<std::byte*>(allocation->address),
            allocation->writable && allocation->kind != AllocationKind::Code};
  }

 private:
  const Memory& memory_;
};

}  // namespace xesim::device
