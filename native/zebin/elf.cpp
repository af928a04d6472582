#include "zebin/elf.hpp"

#include <array>
#include <optional>

namespace xesim::zebin {

namespace {

constexpr std::array<std::uint8_t, 4> kMagic{0x7F, 'E', 'L', 'F'};

// e_type values that native modules come with: ET_REL of the compilers, and the REL, EXE and DYN
// codes of the older zebin specification.
constexpr std::array<std::uint16_t, 4> kFileTypes{1, 0xFF11, 0xFF12, 0xFF13};

constexpr std::uint64_t kMostZeroBytes = std::uint64_t{1} << 32;  // of a NOBITS section

class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) : file_(file) {}

  std::variant<Elf, std::string> read() {
    if (!header() || !section_table() || !section_names() || !symbol_table() || !relocations()) {
      return error_;
    }
    return std::move(elf_);
  }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  [[nodiscard]] bool inside(std::uint64_t offset, std::uint64_t size) const {
    return offset <= file_.size() && size <= file_.size() - offset;
  }

  [[nodiscard]] std::span<const std::byte> contents(std::uint32_t index) const {
    const SectionHeader& section = elf_.sections[index];
    if (section.type == section_type::kNoBits) {
      return {};
    }
    return file_.subspan(section.offset, section.size);
  }

  static std::string describe(std::uint32_t index, const std::string& name) {
    return "section " + std::to_string(index) + (name.empty() ? "" : " (" + name + ")");
  }
  [[nodiscard]] std::string describe(std::uint32_t index) const {
    return describe(index, elf_.sections[index].name);
  }

  bool header() {
    if (file_.size() < elf_header::kBytes) {
      return fail("not a native module: " + std::to_string(file_.size()) +
                  " bytes are too few for an ELF header");
    }
    for (std::size_t i = 0; i < kMagic.size(); ++i) {
      if (std::to_integer<std::uint8_t>(file_[i]) != kMagic[i]) {
        return fail("not a native module: no ELF magic at offset 0");
      }
    }
    if (std::to_integer<int>(file_[4]) != 2 || std::to_integer<int>(file_[5]) != 1) {
      return fail("ELF header: not a 64-bit little-endian file");
    }
    const auto type = load<std::uint16_t>(file_, 16);
    const auto machine = load<std::uint16_t>(file_, 18);
    if (type == 0xFF04) {
      return fail("ELF header: a patch-token program (type 0xff04), not a zebin: compile it with "
                  "-cl-intel-allow-zebin or a newer compiler");
    }
    if (machine != kMachineIntelGt) {
      return fail("ELF header: machine " + std::to_string(machine) +
                  " is not an Intel GPU (205)");
    }
    bool known = false;
    for (const std::uint16_t candidate : kFileTypes) {
      known |= candidate == type;
    }
    if (!known) {
      return fail("ELF header: file type " + std::to_string(type) + " is not that of a zebin");
    }
    return true;
  }

  bool section_table() {
    const auto offset = load<std::uint64_t>(file_, elf_header::kSectionHeaders);
    const auto entry = load<std::uint16_t>(file_, 58);
    const auto count = load<std::uint16_t>(file_, 60);
    if (count == 0) {
      return fail("ELF header: no sections");
    }
    if (entry != elf_section::kBytes) {
      return fail("ELF header: section headers of " + std::to_string(entry) + " bytes, not 64");
    }
    if (!inside(offset, std::uint64_t{count} * entry)) {
      return fail("section headers at offset " + std::to_string(offset) +
                  " lie outside the file (truncated?)");
    }
    elf_.section_header_offset = offset;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = offset + std::uint64_t{i} * entry;
      SectionHeader section;
      name_offsets_.push_back(load<std::uint32_t>(file_, at));
      section.type = load<std::uint32_t>(file_, at + 4);
      section.flags = load<std::uint64_t>(file_, at + 8);
      section.offset = load<std::uint64_t>(file_, at + 24);
      section.size = load<std::uint64_t>(file_, at + 32);
      section.link = load<std::uint32_t>(file_, at + 40);
      section.info = load<std::uint32_t>(file_, at + 44);
      if (i == 0) {
        section.offset = section.size = 0;
      }
      if (section.type == section_type::kNoBits && section.size > kMostZeroBytes) {
        return fail(describe(i, "") + ": " + std::to_string(section.size) +
                    " zero bytes are more than any device has");
      }
      if (section.type != section_type::kNoBits && !inside(section.offset, section.size)) {
        return fail(describe(i, "") + ": " + std::to_string(section.size) + " bytes at offset " +
                    std::to_string(section.offset) + " lie outside the file (truncated?)");
      }
      elf_.sections.push_back(std::move(section));
    }
    return true;
  }

  // The zero-terminated string at `offset` of string table `table`.
  [[nodiscard]] std::optional<std::string> string_at(std::uint32_t table,
                                                     std::uint32_t offset) const {
    const auto bytes = contents(table);
    if (offset >= bytes.size()) {
      return std::nullopt;
    }
    const auto* start = reinterpret_cast<const char*>(bytes.data()) + offset;
    const std::size_t room = bytes.size() - offset;
    const std::size_t length = strnlen(start, room);
    if (length == room) {
      return std::nullopt;
    }
    return std::string(start, length);
  }

  bool section_names() {
    const auto table = load<std::uint16_t>(file_, 62);
    if (table >= elf_.sections.size()) {
      return fail("ELF header: section name table " + std::to_string(table) + " does not exist");
    }
    for (std::uint32_t i = 1; i < elf_.sections.size(); ++i) {
      auto name = string_at(table, name_offsets_[i]);
      if (!name) {
        return fail(describe(i, "") + ": its name lies outside the string table");
      }
      elf_.sections[i].name = std::move(*name);
    }
    return true;
  }

  bool symbol_table() {
    for (std::uint32_t i = 1; i < elf_.sections.size(); ++i) {
      const SectionHeader& section = elf_.sections[i];
      if (section.type != section_type::kSymbolTable) {
        continue;
      }
      if (elf_.symbol_table != 0) {
        return fail(describe(i) + ": a second symbol table");
      }
      elf_.symbol_table = i;
      // The compilers leave the link empty or point it at the section name table.
      const std::uint32_t strings =
          section.link != 0 ? section.link : load<std::uint16_t>(file_, 62);
      if (strings >= elf_.sections.size()) {
        return fail(describe(i) + ": string table " + std::to_string(strings) +
                    " does not exist");
      }
      if (section.size % elf_symbol::kBytes != 0) {
        return fail(describe(i) + ": size is not a multiple of 24");
      }
      const auto bytes = contents(i);
      for (std::uint64_t at = 0; at < bytes.size(); at += elf_symbol::kBytes) {
        Symbol symbol;
        const auto name = load<std::uint32_t>(bytes, at);
        constexpr std::uint8_t kBindingGlobal = 1;
        symbol.is_global = load<std::uint8_t>(bytes, at + 4) >> 4 == kBindingGlobal;
        symbol.section = load<std::uint16_t>(bytes, at + 6);
        symbol.value = load<std::uint64_t>(bytes, at + elf_symbol::kValue);
        const std::string where =
            describe(i) + ": symbol " + std::to_string(at / elf_symbol::kBytes);
        auto text = name == 0 ? std::optional<std::string>("") : string_at(strings, name);
        if (!text) {
          return fail(where + ": its name lies outside the string table");
        }
        symbol.name = std::move(*text);
        constexpr std::uint16_t kFirstReserved = 0xFF00;
        if (symbol.section >= elf_.sections.size() && symbol.section < kFirstReserved) {
          return fail(where + " (" + symbol.name + "): section " +
                      std::to_string(symbol.section) + " does not exist");
        }
        elf_.symbols.push_back(std::move(symbol));
      }
    }
    return true;
  }

  bool relocations() {
    elf_.relocations.resize(elf_.sections.size());
    for (std::uint32_t i = 1; i < elf_.sections.size(); ++i) {
      const SectionHeader& section = elf_.sections[i];
      const bool with_addend = section.type == section_type::kRela;
      if (!with_addend && section.type != section_type::kRel) {
        continue;
      }
      if (section.info == 0 || section.info >= elf_.sections.size()) {
        return fail(describe(i) + ": relocates section " + std::to_string(section.info) +
                    ", which does not exist");
      }
      const std::uint64_t entry = with_addend ? 24 : 16;
      if (section.size % entry != 0) {
        return fail(describe(i) + ": size is not a multiple of " + std::to_string(entry));
      }
      const SectionHeader& target = elf_.sections[section.info];
      const auto bytes = contents(i);
      for (std::uint64_t at = 0; at < bytes.size(); at += entry) {
        Relocation relocation;
        relocation.offset = load<std::uint64_t>(bytes, at);
        const auto info = load<std::uint64_t>(bytes, at + 8);
        relocation.type = static_cast<std::uint32_t>(info);
        relocation.symbol = static_cast<std::uint32_t>(info >> 32);
        relocation.addend = with_addend ? load<std::int64_t>(bytes, at + 16) : 0;
        const std::string where = describe(i) + ": relocation " + std::to_string(at / entry);
        const std::uint32_t width = relocation_width(relocation.type);
        if (width == 0) {
          return fail(where + ": unsupported type " + std::to_string(relocation.type));
        }
        if (relocation.symbol >= elf_.symbols.size()) {
          return fail(where + ": symbol " + std::to_string(relocation.symbol) +
                      " does not exist");
        }
        if (target.type == section_type::kNoBits || relocation.offset > target.size ||
            target.size - relocation.offset < width) {
          return fail(where + ": offset " + std::to_string(relocation.offset) +
                      " lies outside " + describe(section.info));
        }
        elf_.relocations[section.info].push_back(relocation);
      }
    }
    return true;
  }

  std::span<const std::byte> file_;
  std::vector<std::uint32_t> name_offsets_;
  Elf elf_;
  std::string error_;
};

}  // namespace

std::uint32_t relocation_width(std::uint32_t type) {
  switch (static_cast<RelocationType>(type)) {
    case RelocationType::Address64: return 8;
    case RelocationType::Address32:
    case RelocationType::Address32High: return 4;
    case RelocationType::Address16: return 2;
  }
  return 0;
}

std::variant<Elf, std::string> parse_elf(std::span<const std::byte> file) {
  return Reader(file).read();
}

}  // namespace xesim::zebin
