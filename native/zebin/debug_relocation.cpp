#include "zebin/debug_relocation.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace xesim::zebin {

namespace {

// DWARF 4, sections 7.5.3 and 7.5.4: only what finding units and subprogram names needs.
constexpr std::uint64_t kTagSubprogram = 0x2E;
constexpr std::uint64_t kAttributeName = 0x03;
constexpr std::uint64_t kAttributeStatementList = 0x10;

enum Form : std::uint64_t {
  kAddr = 0x01, kBlock2 = 0x03, kBlock4 = 0x04, kData2 = 0x05, kData4 = 0x06, kData8 = 0x07,
  kString = 0x08, kBlock = 0x09, kBlock1 = 0x0A, kData1 = 0x0B, kFlag = 0x0C, kSdata = 0x0D,
  kStrp = 0x0E, kUdata = 0x0F, kRef1 = 0x11, kRef2 = 0x12, kRef4 = 0x13, kRef8 = 0x14,
  kRefUdata = 0x15, kSecOffset = 0x17, kExprloc = 0x18, kFlagPresent = 0x19,
};

// Reads forward in a range; once something lay outside, everything reads as zero and ok() is false.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t end)
      : bytes_(bytes), at_(at), end_(std::min<std::uint64_t>(end, bytes.size())) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return !ok_ || at_ >= end_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }

  template <typename T>
  T take() {
    if (!room(sizeof(T))) {
      return T{};
    }
    const T value = load<T>(bytes_, at_);
    at_ += sizeof(T);
    return value;
  }
  void skip(std::uint64_t size) {
    if (room(size)) {
      at_ += size;
    }
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) {
        value |= std::uint64_t{byte & 0x7Fu} << shift;
      }
      if ((byte & 0x80) == 0) {
        break;
      }
    }
    return value;
  }
  std::string_view string() {
    if (!ok_ || at_ >= end_) {
      ok_ = false;
      return {};
    }
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + at_, end_ - at_);
    const auto length = rest.find('\0');
    if (length == std::string_view::npos) {
      ok_ = false;
      return {};
    }
    at_ += length + 1;
    return rest.substr(0, length);
  }

 private:
  bool room(std::uint64_t size) {
    ok_ = ok_ && at_ <= end_ && size <= end_ - at_;
    return ok_;
  }
  std::span<const std::byte> bytes_;
  std::uint64_t at_;
  std::uint64_t end_;
  bool ok_ = true;
};

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
      entry.attributes.push_back(attribute);
    }
    table.emplace(code, std::move(entry));
  }
  return std::nullopt;
}

struct Value {
  std::uint64_t number = 0;
  std::string_view text;
};

// Reads one attribute value; nothing for a form that is not known.
std::optional<Value> read_value(Cursor& cursor, std::uint64_t form, std::uint8_t address_size) {
  Value value;
  switch (form) {
    case kAddr: cursor.skip(address_size); break;
    case kData1: case kRef1: case kFlag: value.number = cursor.take<std::uint8_t>(); break;
    case kData2: case kRef2: value.number = cursor.take<std::uint16_t>(); break;
    case kData4: case kRef4: case kStrp: case kSecOffset:
      value.number = cursor.take<std::uint32_t>();
      break;
    case kData8: case kRef8: value.number = cursor.take<std::uint64_t>(); break;
    case kSdata: case kUdata: case kRefUdata: value.number = cursor.uleb(); break;
    case kString: value.text = cursor.string(); break;
    case kBlock1: cursor.skip(cursor.take<std::uint8_t>()); break;
    case kBlock2: cursor.skip(cursor.take<std::uint16_t>()); break;
    case kBlock4: cursor.skip(cursor.take<std::uint32_t>()); break;
    case kBlock: case kExprloc: cursor.skip(cursor.uleb()); break;
    case kFlagPresent: value.number = 1; break;
    default: return std::nullopt;
  }
  return cursor.ok() ? std::optional(value) : std::nullopt;
}

// Length field of a unit: 4 bytes, or the escape and 8 bytes. False when it does not fit.
bool read_unit(Cursor& cursor, std::uint64_t section_size, bool& is_64_bit, std::uint64_t& end) {
  std::uint64_t length = cursor.take<std::uint32_t>();
  is_64_bit = length == 0xFFFFFFFF;
  if (is_64_bit) {
    length = cursor.take<std::uint64_t>();
  }
  if (!cursor.ok() || length == 0 || length > section_size - cursor.at()) {
    return false;
  }
  end = cursor.at() + length;
  return true;
}

// The section of external functions has a unit without subprograms. If one unit and one section are
// left, they belong together.
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

std::vector<DebugUnit> compilation_units(
    std::span<const std::byte> debug_info, std::span<const std::byte> debug_abbrev,
    const std::unordered_map<std::string_view, std::uint32_t>& text) {
  std::vector<DebugUnit> units;
  std::map<std::uint64_t, Abbreviations> tables;
  for (std::uint64_t at = 0; at < debug_info.size();) {
    DebugUnit unit;
    unit.begin = at;
    Cursor header(debug_info, at, debug_info.size());
    bool is_64_bit = false;
    if (!read_unit(header, debug_info.size(), is_64_bit, unit.end) || is_64_bit) {
      break;
    }
    header.skip(2);  // version
    const auto abbreviation_offset = header.take<std::uint32_t>();
    const auto address_size = header.take<std::uint8_t>();
    auto table = tables.find(abbreviation_offset);
    if (table == tables.end()) {
      auto parsed = read_abbreviations(debug_abbrev, abbreviation_offset);
      if (!parsed) {
        break;
      }
      table = tables.emplace(abbreviation_offset, std::move(*parsed)).first;
    }
    Cursor cursor(debug_info, header.at(), unit.end);
    bool is_first = true;
    bool readable = true;
    while (readable && !cursor.done()) {
      const std::uint64_t code = cursor.uleb();
      if (code == 0) {
        continue;
      }
      const auto abbreviation = table->second.find(code);
      if (abbreviation == table->second.end()) {
        break;
      }
      for (const Attribute& attribute : abbreviation->second.attributes) {
        const auto value = read_value(cursor, attribute.form, address_size);
        if (!value) {
          readable = false;
          break;
        }
        if (is_first && attribute.name == kAttributeStatementList) {
          unit.line_program = value->number;
        } else if (abbreviation->second.tag == kTagSubprogram &&
                   attribute.name == kAttributeName && unit.text_section == 0) {
          const auto found = text.find(value->text);
          unit.text_section = found == text.end() ? 0 : found->second;
        }
      }
      is_first = false;
    }
    units.push_back(unit);
    at = unit.end;
  }
  claim_what_is_left(units, text);
  return units;
}

std::vector<DebugUnit> line_programs(std::span<const std::byte> debug_line,
                                     const std::vector<DebugUnit>& units) {
  std::vector<DebugUnit> programs;
  for (std::uint64_t at = 0; at < debug_line.size();) {
    DebugUnit program;
    program.begin = at;
    Cursor cursor(debug_line, at, debug_line.size());
    bool is_64_bit = false;
    if (!read_unit(cursor, debug_line.size(), is_64_bit, program.end)) {
      break;
    }
    const auto user = std::ranges::find(units, at, &DebugUnit::line_program);
    program.text_section = user == units.end() ? 0 : user->text_section;
    programs.push_back(program);
    at = program.end;
  }
  return programs;
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
    if (!read_unit(cursor, debug_frame.size(), is_64_bit, end)) {
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
