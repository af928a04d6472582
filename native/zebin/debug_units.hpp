// The compilation units of .debug_info, and whose code each describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xesim::zebin {

// A range of a debug section and the .text section that its code addresses are relative to.
struct DebugUnit {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t line_program = 0;   // DW_AT_stmt_list; of compilation units
  std::uint64_t address_table = 0;  // DW_AT_addr_base; of compilation units, 0 when it has none
  std::uint32_t text_section = 0;   // 0: not known
};

// What names in .debug_info are read from; empty sections where a module has none.
struct DebugInformation {
  std::span<const std::byte> info;
  std::span<const std::byte> abbreviations;
  std::span<const std::byte> strings;         // .debug_str
  std::span<const std::byte> line_strings;    // .debug_line_str
  std::span<const std::byte> string_offsets;  // .debug_str_offsets
};

// The compilation units of `debug`, DWARF 4 or 5, whose 32-bit relocations have been applied already,
// each with the code that its subprograms name. `text` maps kernel names to sections. Stops quietly
// at the first unit that it cannot read: what follows has no known kernel.
[[nodiscard]] std::vector<DebugUnit> compilation_units(
    const DebugInformation& debug, const std::unordered_map<std::string_view, std::uint32_t>& text);

}  // namespace xesim::zebin
