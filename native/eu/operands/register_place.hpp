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

// `operand` is direct and no immediate.
[[nodiscard]] RegisterPlace place_of(const Operand& operand, Platform platform);

}  // namespace xesim::eu
