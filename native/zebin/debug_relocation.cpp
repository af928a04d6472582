#include "zebin/debug_relocation.hpp"

#include <algorithm>

#include "zebin/debug_cursor.hpp"

namespace xesim::zebin {

namespace {

// The text section of the unit whose `reference` is `offset`; 0 when no unit refers there.
std::uint32_t text_of_user(const std::vector<DebugUnit>& units, std::uint64_t DebugUnit::*reference,
                           std::uint64_t offset) {
  const auto user = std::ranges::find(units, offset, reference);
  return user == units.end() ? 0 : user->text_section;
}

}  // namespace

void apply_relocation(std::span<std::byte> bytes, const Relocation& relocation,
                      std::uint64_t value) {
  value += static_cast<std::uint64_t>(relocation.addend);
  switch (static_cast<RelocationType>(relocation.type)) {
    case RelocationType::Address64: store(bytes, relocation.offset, value); break;
    case RelocationType::Address32:
      store(bytes, relocation.offset, static_cast<std::uint32_t>(value));
      break;
    case RelocationType::Address32High:
      store(bytes, relocation.offset, static_cast<std::uint32_t>(value >> 32));
      break;
    case RelocationType::Address16:
      store(bytes, relocation.offset, static_cast<std::uint16_t>(value));
      break;
  }
}

std::vector<DebugUnit> line_programs(std::span<const std::byte> debug_line,
                                     const std::vector<DebugUnit>& units) {
  std::vector<DebugUnit> programs;
  for (std::uint64_t at = 0; at < debug_line.size();) {
    DebugUnit program;
    program.begin = at;
    Cursor cursor(debug_line, at, debug_line.size());
    bool is_64_bit = false;
    if (!cursor.unit_length(debug_line.size(), is_64_bit, program.end)) {
      break;
    }
    program.text_section = text_of_user(units, &DebugUnit::line_program, at);
    programs.push_back(program);
    at = program.end;
  }
  return programs;
}

std::vector<DebugUnit> address_tables(std::span<const std::byte> debug_addr,
                                      const std::vector<DebugUnit>& units) {
  constexpr std::uint64_t kVersionAndSizes = 4;
  std::vector<DebugUnit> tables;
  for (std::uint64_t at = 0; at < debug_addr.size();) {
    DebugUnit table;
    table.begin = at;
    Cursor cursor(debug_addr, at, debug_addr.size());
    bool is_64_bit = false;
    if (!cursor.unit_length(debug_addr.size(), is_64_bit, table.end)) {
      break;
    }
    const std::uint64_t first_address = cursor.at() + kVersionAndSizes;
    table.text_section = text_of_user(units, &DebugUnit::address_table, first_address);
    tables.push_back(table);
    at = table.end;
  }
  return tables;
}

std::vector<DebugUnit> frame_locations(std::span<const std::byte> debug_frame,
                                       const std::vector<DebugUnit>& units) {
  std::vector<DebugUnit> locations;
  std::size_t groups = 0;      // of common entries followed by their descriptions
  bool in_descriptions = true;
  for (std::uint64_t at = 0; at < debug_frame.size();) {
    Cursor cursor(debug_frame, at, debug_frame.size());
    bool is_64_bit = false;
    std::uint64_t end = 0;
    if (!cursor.unit_length(debug_frame.size(), is_64_bit, end)) {
      break;
    }
    const std::uint64_t cie = is_64_bit ? cursor.take<std::uint64_t>()
                                        : std::uint64_t{cursor.take<std::uint32_t>()};
    const std::uint64_t cie_id = is_64_bit ? UINT64_MAX : 0xFFFFFFFF;
    if (cursor.ok() && cie == cie_id) {
      groups += in_descriptions ? 1 : 0;
      in_descriptions = false;
    } else if (cursor.ok()) {
      DebugUnit location;
      location.begin = cursor.at();
      location.end = end;
      location.text_section =
          groups != 0 && groups <= units.size() ? units[groups - 1].text_section : 0;
      in_descriptions = true;
      locations.push_back(location);
    }
    at = end;
  }
  return locations;
}

}  // namespace xesim::zebin
