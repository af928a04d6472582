// From compacted instruction words to native ones.
#pragma once

#include <optional>

#include "eu/isa/bit_field.hpp"
#include "eu/isa/tables.hpp"

namespace xesim::eu {

// The native word that the 8-byte word in `compact.low` stands for; nothing where the platform has
// no compacted form of `opcode`, or an index that its tables reserve.
[[nodiscard]] std::optional<Word> expand(const Encoding& encoding, Opcode opcode,
                                         const Word& compact);

}  // namespace xesim::eu
