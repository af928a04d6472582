// Where an instruction's operands lie and how its lanes step through them.
#pragma once

#include "eu/isa/data_type.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// Each fills its part of the plan except for the routine, and raises plan.registers. They give
// null, or why the operand cannot be accessed: a string literal.
[[nodiscard]] const char* plan_source(const Instruction& instruction, unsigned index,
                                      Platform platform);
[[nodiscard]] const char* plan_destination(const Instruction& instruction, Platform platform);

// The same for `bytes` bytes at a direct operand that has no lanes of its own:
// the pairs of call and ret, the matrices of dpas.
[[nodiscard]] const char* plan_bytes(const Instruction& instruction, const Operand& operand,
                                     unsigned bytes, Platform platform, std::uint32_t& position);

}  // namespace xesim::eu
