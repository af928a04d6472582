// From instruction words to decoded instructions.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// Decodes the instruction at the start of `code` (at least 8 bytes; 16 unless compacted).
// Never fails: an invalid or unknown word gives Opcode::Illegal with `invalid_reason` set and
// the length that its compaction bit claims. Too few bytes give an Illegal as well.
[[nodiscard]] Instruction decode(Platform platform, std::span<const std::byte> code);

// The mnemonic ("mov", "goto", "send.ugm") for reports about an instruction.
[[nodiscard]] std::string mnemonic(const Instruction& instruction);

}  // namespace xesim::eu
