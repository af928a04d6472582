// The ELF that MODULE_LOAD announces, laid out as Intel's driver lays it out (reference: program
// debug, module debug information): same sections and indices, ET_EXEC, absolute addresses. Beyond
// it, addresses whose symbols have lost their names are found out: see debug_relocation.hpp.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "zebin/debug_relocation.hpp"
#include "zebin/elf.hpp"
#include "zebin/image.hpp"

namespace xesim::zebin {

namespace {

constexpr std::string_view kTextPrefix = ".text.";
constexpr std::string_view kDebugPrefix = ".debug_";
constexpr std::string_view kConstantData = ".data.const";
constexpr std::string_view kGlobalData = ".data.global";
constexpr std::string_view kStringData = ".data.const.string";
constexpr std::uint64_t kProgramHeaderBytes = 56;
constexpr std::uint64_t kProgramHeaderAlignment = 8;
constexpr std::uint32_t kLoadSegment = 1;

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Whether the image says where section `name` lies. What starts as zero lies after the data with
// values: it is of their segment, and symbols in it count from their section.
bool has_address(std::string_view name) { return is_segment(name) || name == kStringData; }

// Relocates the sections of one image inside a copy of its file.
class ImageRelocator {
 public:
  ImageRelocator(const Elf& elf, const Placement& placement, std::span<std::byte> file)
      : elf_(elf), placement_(placement), file_(file) {
    for (std::uint32_t i = 0; i < elf.sections.size(); ++i) {
      const std::string_view name = elf.sections[i].name;
      if (starts_with(name, kTextPrefix)) {
        text_.emplace(name.substr(kTextPrefix.size()), i);
      }
    }
  }

  void run() {
    const std::uint32_t info = find(".debug_info");
    const std::uint32_t line = find(".debug_line");
    const std::uint32_t frame = find(".debug_frame");
    const std::uint32_t addr = find(".debug_addr");
    apply_offsets();
    const auto units = compilation_units(
        {.info = bytes(info),
         .abbreviations = bytes(find(".debug_abbrev")),
         .strings = bytes(find(".debug_str")),
         .line_strings = bytes(find(".debug_line_str")),
         .string_offsets = bytes(find(".debug_str_offsets"))},
        text_);
    apply_addresses(info, units);
    apply_addresses(line, line_programs(bytes(line), units));
    apply_addresses(addr, address_tables(bytes(addr), units));
    apply_addresses(frame, frame_locations(bytes(frame), units));
    for (std::uint32_t i = 0; i < elf_.sections.size(); ++i) {
      if (i != info && i != line && i != addr && i != frame) {
        apply_addresses(i, {});
      }
      if (!is_debug(i)) {
        apply_loaded(i);
      }
    }
  }

  // What a symbol adds to its own value: the address of what it means.
  [[nodiscard]] std::uint64_t symbol_base(const Symbol& symbol) const {
    if (symbol.section >= elf_.sections.size()) {
      return 0;
    }
    if (is_debug(symbol.section)) {
      const std::uint32_t section = named_text(symbol);
      return section == 0 ? 0 : address(section);
    }
    return address(symbol.section);
  }

 private:
  [[nodiscard]] bool is_debug(std::uint32_t section) const {
    return starts_with(elf_.sections[section].name, kDebugPrefix);
  }

  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    for (std::uint32_t i = 1; i < elf_.sections.size(); ++i) {
      if (elf_.sections[i].name == name && elf_.sections[i].type != section_type::kNoBits) {
        return i;
      }
    }
    return 0;
  }

  [[nodiscard]] std::span<std::byte> bytes(std::uint32_t section) const {
    if (section == 0) {
      return {};
    }
    return file_.subspan(elf_.sections[section].offset, elf_.sections[section].size);
  }

  [[nodiscard]] std::uint64_t address(std::uint32_t section) const {
    const auto found = placement_.find(section);
    return found == placement_.end() || !has_address(elf_.sections[section].name) ? 0
                                                                                   : found->second;
  }

  // The .text section that the symbol's name is; 0 for other names.
  [[nodiscard]] std::uint32_t named_text(const Symbol& symbol) const {
    const std::string_view name = symbol.name;
    if (!starts_with(name, kTextPrefix)) {
      return 0;
    }
    const auto found = text_.find(name.substr(kTextPrefix.size()));
    return found == text_.end() ? 0 : found->second;
  }

  // References between debug sections: 32-bit, relative to section starts.
  void apply_offsets() {
    for (std::uint32_t i = 0; i < elf_.sections.size(); ++i) {
      if (!is_debug(i)) {
        continue;
      }
      for (const Relocation& relocation : elf_.relocations[i]) {
        if (relocation.type != static_cast<std::uint32_t>(RelocationType::Address64)) {
          apply_relocation(bytes(i), relocation, value(elf_.symbols[relocation.symbol]));
        } else {
          apply_relocation(bytes(i), relocation, 0);  // so that references to CIEs can be read
        }
      }
    }
  }

  [[nodiscard]] std::uint64_t value(const Symbol& symbol) const {
    return symbol_base(symbol) + symbol.value;
  }

  // Addresses of code and data: 64-bit. `units` say whose code it is where the name is lost.
  void apply_addresses(std::uint32_t section, const std::vector<DebugUnit>& units) {
    if (section == 0 || !is_debug(section)) {
      return;
    }
    for (const Relocation& relocation : elf_.relocations[section]) {
      if (relocation.type != static_cast<std::uint32_t>(RelocationType::Address64)) {
        continue;
      }
      const Symbol& symbol = elf_.symbols[relocation.symbol];
      std::uint64_t target = value(symbol);
      if (symbol.section < elf_.sections.size() && is_debug(symbol.section) &&
          named_text(symbol) == 0) {
        const auto after = std::ranges::upper_bound(units, relocation.offset, {},
                                                    &DebugUnit::begin);
        if (after != units.begin() && relocation.offset < std::prev(after)->end) {
          target = address(std::prev(after)->text_section);
        }
      }
      apply_relocation(bytes(section), relocation, target);
    }
  }

  // Code and data as far as the module itself defines what they refer to: what it imports counts as
  // 0, and what only a driver can know stays as the compiler left it.
  void apply_loaded(std::uint32_t section) {
    if (elf_.sections[section].type == section_type::kNoBits) {
      return;
    }
    for (const Relocation& relocation : elf_.relocations[section]) {
      if (relocation.type <= static_cast<std::uint32_t>(RelocationType::Address32High)) {
        apply_relocation(bytes(section), relocation, value(elf_.symbols[relocation.symbol]));
      }
    }
  }

  const Elf& elf_;
  const Placement& placement_;
  std::span<std::byte> file_;
  std::unordered_map<std::string_view, std::uint32_t> text_;
};

}  // namespace

bool is_segment(std::string_view section_name) {
  return starts_with(section_name, kTextPrefix) || section_name == kConstantData ||
         section_name == kGlobalData;
}

std::vector<std::byte> Image::debug_image(
    const Placement& placement, const std::map<std::uint32_t, std::uint64_t>& allocated) const {
  std::vector<std::byte> out = file_;
  ImageRelocator relocator(*elf_, placement, out);
  relocator.run();

  if (elf_->symbol_table != 0) {
    const std::uint64_t table = elf_->sections[elf_->symbol_table].offset;
    for (std::size_t i = 1; i < elf_->symbols.size(); ++i) {
      const Symbol& symbol = elf_->symbols[i];
      store<std::uint64_t>(out, table + i * elf_symbol::kBytes + elf_symbol::kValue,
                           symbol.value + relocator.symbol_base(symbol));
    }
  }

  std::vector<std::uint32_t> segments;
  for (const auto& [section, address] : placement) {
    if (section >= sections_.size() || !has_address(sections_[section].name)) {
      continue;
    }
    store<std::uint64_t>(out, elf_->section_header_offset + section * elf_section::kBytes +
                                  elf_section::kAddress, address);
    if (is_segment(sections_[section].name)) {
      segments.push_back(section);
    }
  }
  std::ranges::sort(segments, {}, [&](std::uint32_t section) { return placement.at(section); });

  const std::uint64_t headers = (out.size() + 7) & ~std::uint64_t{7};
  out.resize(headers + segments.size() * kProgramHeaderBytes);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Section& section = sections_[segments[i]];
    const std::uint64_t at = headers + i * kProgramHeaderBytes;
    const auto room = allocated.find(segments[i]);
    const std::uint64_t size =
        room == allocated.end() ? section.size : std::max(section.size, room->second);
    store<std::uint32_t>(out, at, kLoadSegment);
    store<std::uint64_t>(out, at + 8, section.offset);
    store<std::uint64_t>(out, at + 16, placement.at(segments[i]));
    store<std::uint64_t>(out, at + 32, section.type == section_type::kNoBits ? 0 : section.size);
    store<std::uint64_t>(out, at + 40, size);
    store<std::uint64_t>(out, at + 48, kProgramHeaderAlignment);
  }
  const std::span<std::byte> file(out);
  store<std::uint16_t>(file, elf_header::kType, elf_header::kExecutable);
  store<std::uint64_t>(file, elf_header::kProgramHeaders, segments.empty() ? 0 : headers);
  store<std::uint16_t>(file, elf_header::kProgramHeaderSize, kProgramHeaderBytes);
  store<std::uint16_t>(file, elf_header::kProgramHeaderCount,
                       static_cast<std::uint16_t>(segments.size()));
  return out;
}

}  // namespace xesim::zebin
