#include "zebin/debug_units.hpp"

#include <map>
#include <optional>

#include "zebin/debug_cursor.hpp"

namespace xesim::zebin {

namespace {

// DWARF 5, section 7.5: only what finding units and the names of subprograms needs. The numbers of
// DWARF 4 are among them.
constexpr std::uint64_t kTagSubprogram = 0x2E;
constexpr std::uint16_t kDwarf5 = 5;

enum AttributeName : std::uint64_t {
  kName = 0x03, kStatementList = 0x10, kLinkageName = 0x6E, kStringOffsetsBase = 0x72,
  kAddressBase = 0x73, kLinkageNameOfMips = 0x2007,
};

enum Form : std::uint64_t {
  kAddr = 0x01, kBlock2 = 0x03, kBlock4 = 0x04, kData2 = 0x05, kData4 = 0x06, kData8 = 0x07,
  kString = 0x08, kBlock = 0x09, kBlock1 = 0x0A, kData1 = 0x0B, kFlag = 0x0C, kSdata = 0x0D,
  kStrp = 0x0E, kUdata = 0x0F, kRef1 = 0x11, kRef2 = 0x12, kRef4 = 0x13, kRef8 = 0x14,
  kRefUdata = 0x15, kSecOffset = 0x17, kExprloc = 0x18, kFlagPresent = 0x19, kStrx = 0x1A,
  kAddrx = 0x1B, kRefSup4 = 0x1C, kStrpSup = 0x1D, kData16 = 0x1E, kLineStrp = 0x1F,
  kRefSig8 = 0x20, kImplicitConst = 0x21, kLoclistx = 0x22, kRnglistx = 0x23, kRefSup8 = 0x24,
  kStrx1 = 0x25, kStrx2 = 0x26, kStrx3 = 0x27, kStrx4 = 0x28, kAddrx1 = 0x29, kAddrx2 = 0x2A,
  kAddrx3 = 0x2B, kAddrx4 = 0x2C,
};

// Section 7.5.1.1: kinds of units with more in their headers, in bytes.
constexpr std::uint64_t header_extension(std::uint8_t unit_type) {
  switch (unit_type) {
    case 0x02: case 0x06: return 12;  // type units: signature and offset
    case 0x04: case 0x05: return 8;   // skeletons and split units: identifier
    default: return 0;
  }
}

struct Attribute {
  std::uint64_t name = 0;
  std::uint64_t form = 0;
};
struct Abbreviation {
  std::uint64_t tag = 0;
  std::vector<Attribute> attributes;
};
using Abbreviations = std::map<std::uint64_t, Abbreviation>;

std::optional<Abbreviations> read_abbreviations(std::span<const std::byte> section,
                                                std::uint64_t offset) {
  Abbreviations table;
  Cursor cursor(section, offset, section.size());
  while (cursor.ok()) {
    const std::uint64_t code = cursor.uleb();
    if (!cursor.ok()) {
      break;
    }
    if (code == 0) {
      return table;
    }
    Abbreviation entry;
    entry.tag = cursor.uleb();
    cursor.skip(1);
    while (cursor.ok()) {
      const Attribute attribute{cursor.uleb(), cursor.uleb()};
      if (attribute.name == 0 && attribute.form == 0) {
        break;
      }
      if (attribute.form == kImplicitConst) {
        (void)cursor.uleb();
      }
      entry.attributes.push_back(attribute);
    }
    table.emplace(code, std::move(entry));
  }
  return std::nullopt;
}

// The value of an attribute: a number, an offset or an index; of strings in place, the text.
struct Value {
  std::uint64_t number = 0;
  std::string_view text;
};

// Reads one attribute value; nothing for a form that is not known.
std::optional<Value> read_value(Cursor& cursor, std::uint64_t form, std::uint8_t address_size) {
  Value value;
  switch (form) {
    case kAddr: cursor.skip(address_size); break;
    case kData1: case kRef1: case kFlag: case kStrx1: case kAddrx1:
      value.number = cursor.take<std::uint8_t>();
      break;
    case kData2: case kRef2: case kStrx2: case kAddrx2:
      value.number = cursor.take<std::uint16_t>();
      break;
    case kStrx3: case kAddrx3: value.number = cursor.take_bytes(3); break;
    case kData4: case kRef4: case kStrp: case kSecOffset: case kLineStrp: case kStrx4: case kAddrx4:
    case kRefSup4: case kStrpSup:
      value.number = cursor.take<std::uint32_t>();
      break;
    case kData8: case kRef8: case kRefSig8: case kRefSup8:
      value.number = cursor.take<std::uint64_t>();
      break;
    case kData16: cursor.skip(16); break;
    case kSdata: case kUdata: case kRefUdata: case kStrx: case kAddrx: case kLoclistx:
    case kRnglistx:
      value.number = cursor.uleb();
      break;
    case kString: value.text = cursor.string(); break;
    case kBlock1: cursor.skip(cursor.take<std::uint8_t>()); break;
    case kBlock2: cursor.skip(cursor.take<std::uint16_t>()); break;
    case kBlock4: cursor.skip(cursor.take<std::uint32_t>()); break;
    case kBlock: case kExprloc: cursor.skip(cursor.uleb()); break;
    case kFlagPresent: value.number = 1; break;
    case kImplicitConst: break;  // its value stands in the abbreviation
    default: return std::nullopt;
  }
  return cursor.ok() ? std::optional(value) : std::nullopt;
}

std::string_view string_at(std::span<const std::byte> section, std::uint64_t offset) {
  return Cursor(section, offset, section.size()).string();
}

// Reads the entries of one unit.
class UnitReader {
 public:
  UnitReader(const DebugInformation& debug, const Abbreviations& abbreviations,
             const std::unordered_map<std::string_view, std::uint32_t>& text,
             std::uint8_t address_size)
      : debug_(debug), abbreviations_(abbreviations), text_(text), address_size_(address_size) {}

  // Completes `unit` from the entries at `cursor`, up to the first that it cannot read.
  void read(Cursor& cursor, DebugUnit& unit) {
    bool is_first = true;
    while (!cursor.done()) {
      const std::uint64_t code = cursor.uleb();
      if (code == 0) {
        continue;
      }
      const auto abbreviation = abbreviations_.find(code);
      if (abbreviation == abbreviations_.end()) {
        return;
      }
      const bool is_subprogram = abbreviation->second.tag == kTagSubprogram;
      std::string_view name;
      std::string_view linkage_name;
      for (const Attribute& attribute : abbreviation->second.attributes) {
        const auto value = read_value(cursor, attribute.form, address_size_);
        if (!value) {
          return;
        }
        if (is_first) {
          note_of_unit(unit, attribute.name, value->number);
        } else if (is_subprogram && attribute.name == kName) {
          name = text_of(*value, attribute.form);
        } else if (is_subprogram && (attribute.name == kLinkageName ||
                                     attribute.name == kLinkageNameOfMips)) {
          linkage_name = text_of(*value, attribute.form);
        }
      }
      if (is_subprogram && unit.text_section == 0) {
        // A function that a kernel's body was moved to has the kernel's name in the source, and
        // another to the linker.
        const auto found = text_.find(linkage_name.empty() ? name : linkage_name);
        unit.text_section = found == text_.end() ? 0 : found->second;
      }
      is_first = false;
    }
  }

 private:
  void note_of_unit(DebugUnit& unit, std::uint64_t attribute, std::uint64_t value) {
    switch (attribute) {
      case kStatementList: unit.line_program = value; break;
      case kAddressBase: unit.address_table = value; break;
      case kStringOffsetsBase: string_offsets_base_ = value; break;
      default: break;
    }
  }

  [[nodiscard]] std::string_view text_of(const Value& value, std::uint64_t form) const {
    switch (form) {
      case kString: return value.text;
      case kStrp: return string_at(debug_.strings, value.number);
      case kLineStrp: return string_at(debug_.line_strings, value.number);
      case kStrx: case kStrx1: case kStrx2: case kStrx3: case kStrx4: {
        if (value.number > debug_.string_offsets.size()) {
          return {};
        }
        Cursor offset(debug_.string_offsets, string_offsets_base_ + 4 * value.number,
                      debug_.string_offsets.size());
        const auto at = offset.take<std::uint32_t>();
        return offset.ok() ? string_at(debug_.strings, at) : std::string_view{};
      }
      default: return {};
    }
  }

  const DebugInformation& debug_;
  const Abbreviations& abbreviations_;
  const std::unordered_map<std::string_view, std::uint32_t>& text_;
  std::uint8_t address_size_;
  std::uint64_t string_offsets_base_ = 0;
};

// The section of external functions has a unit whose subprograms no section is named for. If one
// unit and one section are left, they belong together.
void claim_what_is_left(std::vector<DebugUnit>& units,
                        const std::unordered_map<std::string_view, std::uint32_t>& text) {
  std::unordered_map<std::uint32_t, bool> claimed;
  DebugUnit* unknown = nullptr;
  for (DebugUnit& unit : units) {
    if (unit.text_section != 0) {
      claimed.emplace(unit.text_section, true);
    } else if (unknown != nullptr) {
      return;
    } else {
      unknown = &unit;
    }
  }
  std::uint32_t left = 0;
  for (const auto& [name, section] : text) {
    if (!claimed.contains(section)) {
      if (left != 0) {
        return;
      }
      left = section;
    }
  }
  if (unknown != nullptr) {
    unknown->text_section = left;
  }
}

}  // namespace

std::vector<DebugUnit> compilation_units(
    const DebugInformation& debug,
    const std::unordered_map<std::string_view, std::uint32_t>& text) {
  std::vector<DebugUnit> units;
  std::map<std::uint64_t, Abbreviations> tables;
  for (std::uint64_t at = 0; at < debug.info.size();) {
    DebugUnit unit;
    unit.begin = at;
    Cursor header(debug.info, at, debug.info.size());
    bool is_64_bit = false;
    if (!header.unit_length(debug.info.size(), is_64_bit, unit.end) || is_64_bit) {
      break;
    }
    const auto version = header.take<std::uint16_t>();
    std::uint8_t unit_type = 0;
    std::uint8_t address_size = 0;
    if (version >= kDwarf5) {
      unit_type = header.take<std::uint8_t>();
      address_size = header.take<std::uint8_t>();
    }
    const auto abbreviation_offset = header.take<std::uint32_t>();
    if (version < kDwarf5) {
      address_size = header.take<std::uint8_t>();
    }
    header.skip(header_extension(unit_type));
    auto table = tables.find(abbreviation_offset);
    if (table == tables.end()) {
      auto parsed = read_abbreviations(debug.abbreviations, abbreviation_offset);
      if (!parsed) {
        break;
      }
      table = tables.emplace(abbreviation_offset, std::move(*parsed)).first;
    }
    Cursor entries(debug.info, header.at(), unit.end);
    UnitReader(debug, table->second, text, address_size).read(entries, unit);
    units.push_back(unit);
    at = unit.end;
  }
  claim_what_is_left(units, text);
  return units;
}

}  // namespace xesim::zebin
