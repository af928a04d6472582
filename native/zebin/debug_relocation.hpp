// Relocation of .debug_* sections as the compiler really writes them.
//
// Symbols of these relocations are local objects "in" the debug section itself; their *name* says
// what they mean: ".text.vadd" is the code of vadd, any other debug section counts as 0, so that
// only the addend remains. The newest compiler loses or mangles names at random. What such a
// relocation means follows from where it is: a code address in a unit of .debug_info, .debug_line
// or .debug_frame belongs to the kernel of that unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "zebin/elf.hpp"

namespace xesim::zebin {

// Writes `value` plus the addend as the relocation's type says. The place is inside `bytes`.
void apply_relocation(std::span<std::byte> bytes, const Relocation& relocation,
                      std::uint64_t value);

// A range of a debug section and the .text section that its code addresses are relative to.
struct DebugUnit {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t line_program = 0;   // DW_AT_stmt_list; of compilation units
  std::uint32_t text_section = 0;   // 0: not known
};

// The compilation units of `debug_info`, whose 32-bit relocations have been applied already, each
// with the kernel that its subprograms name. `text` maps kernel names to sections. Stops quietly
// at the first unit that it cannot read: what follows has no known kernel.
[[nodiscard]] std::vector<DebugUnit> compilation_units(
    std::span<const std::byte> debug_info, std::span<const std::byte> debug_abbrev,
    const std::unordered_map<std::string_view, std::uint32_t>& text);

// The line programs of `debug_line`, with the kernel of the unit that refers to each.
[[nodiscard]] std::vector<DebugUnit> line_programs(std::span<const std::byte> debug_line,
                                                   const std::vector<DebugUnit>& units);

// Frame descriptions: the fields that hold code addresses, in ranges of one kernel. The compiler
// writes common entries and then descriptions for one unit after the other; a field outside every
// range is no code address.
[[nodiscard]] std::vector<DebugUnit> frame_locations(std::span<const std::byte> debug_frame,
                                                     const std::vector<DebugUnit>& units);

}  // namespace xesim::zebin
