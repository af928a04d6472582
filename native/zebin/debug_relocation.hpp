// Relocation of .debug_* sections as the compiler really writes them.
//
// Symbols of these relocations are local objects "in" the debug section itself; their *name* says
// what they mean: ".text.vadd" is the code of vadd, any other debug section counts as 0, so that
// only the addend remains. The newest compiler loses or mangles names at random. What such a
// relocation means follows from where it is: a code address in a unit of .debug_info, .debug_line,
// .debug_addr or .debug_frame belongs to the kernel of that unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zebin/debug_units.hpp"
#include "zebin/elf.hpp"

namespace xesim::zebin {

// Writes `value` plus the addend as the relocation's type says. The place is inside `bytes`.
void apply_relocation(std::span<std::byte> bytes, const Relocation& relocation,
                      std::uint64_t value);

// The line programs of `debug_line`, with the kernel of the unit that refers to each.
[[nodiscard]] std::vector<DebugUnit> line_programs(std::span<const std::byte> debug_line,
                                                   const std::vector<DebugUnit>& units);

// The tables of `debug_addr` (DWARF 5, section 7.27), with the kernel of the unit that refers to each.
[[nodiscard]] std::vector<DebugUnit> address_tables(std::span<const std::byte> debug_addr,
                                                    const std::vector<DebugUnit>& units);

// Frame descriptions: the fields that hold code addresses, in ranges of one kernel. The compiler
// writes common entries and then descriptions for one unit after the other; a field outside every
// range is no code address.
[[nodiscard]] std::vector<DebugUnit> frame_locations(std::span<const std::byte> debug_frame,
                                                     const std::vector<DebugUnit>& units);

}  // namespace xesim::zebin
