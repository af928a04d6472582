// Where the registers that an operand names directly lie in the thread state.
#pragma once

#include <cstdint>

#include "eu/isa/execution_plan.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

struct RegisterPlace {
  std::uint32_t position = 0;   // of the first byte, in bytes from the start of ThreadState
  std::uint32_t end = 0;        // one past the last byte of the register file
  bool computed = false;        // a read is computed, there is nothing to point at
  DestinationEffect effect = DestinationEffect::None;
  const char* problem = nullptr;  // why there is no such register; a string literal
};

// Bytes into acc0 of the first lane's element where an instruction names no accumulator but reads or
// writes one (mach, mac, AccWrEn): where its destination begins in a register. oneMKL's kernels name
// acc0.4 before and after a mach into r6.4; Intel's compiler writes such results to the first
// sub-register only.
[[nodiscard]] inline std::uint32_t implicit_accumulator(const Instruction& instruction) {
  const Operand& destination = instruction.destination;
  return destination.is_null() || destination.indirect ? 0 : destination.byte_offset;
}

// `operand` is direct and no immediate.
[[nodiscard]] RegisterPlace place_of(const Operand& operand, Platform platform);

}  // namespace xesim::eu
