// Sets of operations, and the types of their operands: the C++ side of
// zedbg/xe/isa/operations.py.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "eu/isa/names.hpp"

namespace xesim::eu {

class OpcodeSet {
 public:
  [[nodiscard]] constexpr bool contains(Opcode opcode) const {
    const auto index = static_cast<std::size_t>(opcode);
    return (words_[index / kWordBits] >> index % kWordBits & 1) != 0;
  }
  constexpr void add(Opcode opcode) {
    const auto index = static_cast<std::size_t>(opcode);
    words_[index / kWordBits] |= std::uint64_t{1} << index % kWordBits;
  }

 private:
  static constexpr std::size_t kWordBits = 64;
  std::array<std::uint64_t, 2> words_{};
};

[[nodiscard]] constexpr OpcodeSet opcode_set(std::initializer_list<Opcode> members) {
  OpcodeSet set;
  for (const Opcode opcode : members) set.add(opcode);
  return set;
}

// Encoded type to type; nothing where reserved.
using TypeTable = std::array<std::optional<DataType>, 16>;

}  // namespace xesim::eu
