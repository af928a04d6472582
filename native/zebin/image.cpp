#include "zebin/image.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "zebin/debug_relocation.hpp"
#include "zebin/elf.hpp"
#include "zebin/zeinfo.hpp"

namespace xesim::zebin {

namespace {

constexpr std::string_view kNoteOwner = "IntelGT";
constexpr std::uint32_t kNoteProductFamily = 1;
constexpr std::uint32_t kNoteTargetMetadata = 3;
constexpr std::uint32_t kNoteProductConfig = 6;

// Holds functions that modules export to each other; not a kernel, though zeinfo lists it.
constexpr std::string_view kExternalFunctions = "Intel_Symbol_Table_Void_Program";

// Patched with the distance of the cross-thread data from what r0.0 points at: the implicit
// arguments of kernels that have them.
constexpr std::string_view kCrossThreadOffset = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0";

struct Notes {
  std::uint32_t product_family = 0;
  std::uint32_t target_metadata = 0;
  std::uint32_t ip_version = 0;
};

// Bits 23:21 of the target metadata: which compiler made the module.
bool is_of_intels_compiler(const Notes& notes) { return (notes.target_metadata >> 21 & 7) == 1; }

std::optional<std::string> read_notes(std::span<const std::byte> bytes, Notes& notes) {
  std::uint64_t at = 0;
  const auto rounded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  while (at < bytes.size()) {
    const std::string where = " at offset " + std::to_string(at) + " of .note.intelgt.compat";
    if (bytes.size() - at < 12) {
      return "truncated note" + where;
    }
    const auto name_size = load<std::uint32_t>(bytes, at);
    const auto size = load<std::uint32_t>(bytes, at + 4);
    const auto type = load<std::uint32_t>(bytes, at + 8);
    const std::uint64_t name_at = at + 12;
    const std::uint64_t data_at = name_at + rounded(name_size);
    if (data_at > bytes.size() || size > bytes.size() - data_at) {
      return "truncated note" + where;
    }
    const std::string_view owner(reinterpret_cast<const char*>(bytes.data() + name_at), name_size);
    if (owner.substr(0, owner.find('\0')) == kNoteOwner) {
      std::uint32_t* value = type == kNoteProductFamily    ? &notes.product_family
                             : type == kNoteTargetMetadata ? &notes.target_metadata
                             : type == kNoteProductConfig  ? &notes.ip_version
                                                           : nullptr;
      if (value != nullptr) {
        if (size < 4) {
          return "note of type " + std::to_string(type) + " has no value" + where;
        }
        *value = load<std::uint32_t>(bytes, data_at);
      }
    }
    at = data_at + rounded(size);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> section_in_front(const std::vector<Section>& sections,
                                              std::uint32_t index) {
  constexpr std::string_view kZeroed = ".bss.";
  const std::string& name = sections[index].name;
  if (!name.starts_with(kZeroed)) return std::nullopt;
  const std::string wanted = ".data." + name.substr(kZeroed.size());
  for (std::uint32_t other = 0; other < sections.size(); ++other) {
    if (sections[other].name == wanted && sections[other].size > 0) return other;
  }
  return std::nullopt;
}

std::uint64_t variables_address(const std::vector<Section>& sections, const Placement& placement,
                                std::string_view kind) {
  for (const std::string_view prefix : {".data.", ".bss."}) {
    const std::string name = std::string(prefix) + std::string(kind);
    for (const auto& [index, address] : placement) {
      if (sections[index].name == name) return address;
    }
  }
  return 0;
}

std::variant<Image, std::string> Image::parse(std::span<const std::byte> file) {
  auto parsed = parse_elf(file);
  if (auto* error = std::get_if<std::string>(&parsed)) {
    return std::move(*error);
  }
  Image image;
  image.file_.assign(file.begin(), file.end());
  image.elf_ = std::make_shared<const Elf>(std::get<Elf>(std::move(parsed)));

  std::unordered_map<std::string, std::uint32_t> by_name;
  std::uint32_t zeinfo = 0;
  Notes notes;
  for (std::uint32_t i = 0; i < image.elf_->sections.size(); ++i) {
    const SectionHeader& header = image.elf_->sections[i];
    image.sections_.push_back(
        {header.name, header.type, header.flags, header.offset, header.size});
    by_name.emplace(header.name, i);
    if (header.type == section_type::kZeInfo) {
      zeinfo = i;
    } else if (header.type == section_type::kNote && header.name == ".note.intelgt.compat") {
      if (auto error = read_notes(image.section_bytes(i), notes)) {
        return std::move(*error);
      }
    }
  }
  image.product_family_ = notes.product_family;
  image.ip_version_ = notes.ip_version;
  const bool has_code = std::ranges::any_of(
      image.sections_, [](const Section& section) { return section.name.starts_with(".text."); });
  if (zeinfo == 0 && notes.product_family != 0 && !has_code) {
    return image;  // what the compiler makes of a program without kernels
  }
  if (zeinfo == 0) {
    return "no .ze_info section: not a native module, or made by another kind of compiler";
  }
  const auto text = image.section_bytes(zeinfo);
  auto kernels = parse_zeinfo({reinterpret_cast<const char*>(text.data()), text.size()});
  if (const auto* error = std::get_if<std::string>(&kernels)) {
    return ".ze_info: " + *error;
  }
  std::unordered_map<std::string_view, bool> seen;
  for (Kernel& kernel : std::get<std::vector<Kernel>>(kernels)) {
    if (kernel.name == kExternalFunctions) {
      continue;
    }
    const auto found = by_name.find(".text." + kernel.name);
    if (found == by_name.end()) {
      return ".ze_info: kernel `" + kernel.name + "` has no section .text." + kernel.name;
    }
    const Section& code = image.sections_[found->second];
    if (code.type == section_type::kNoBits || code.size == 0) {
      return code.name + ": no code";
    }
    if (kernel.skip_per_thread_load >= code.size) {
      return ".ze_info: kernel `" + kernel.name + "`: entry " +
             std::to_string(kernel.skip_per_thread_load) + " lies outside " + code.name;
    }
    kernel.text_section = found->second;
    kernel.finds_local_ids = is_of_intels_compiler(notes);
    // Older compilers' code has no place for them in front of the cross-thread data.
    kernel.has_implicit_arguments &= std::ranges::any_of(
        image.elf_->relocations[found->second], [&](const Relocation& relocation) {
          return image.elf_->symbols[relocation.symbol].name == kCrossThreadOffset;
        });
    image.kernels_.push_back(std::move(kernel));
  }
  for (const Kernel& kernel : image.kernels_) {
    if (!seen.emplace(kernel.name, true).second) {
      return ".ze_info: kernel `" + kernel.name + "` appears twice";
    }
  }
  return image;
}

std::uint32_t Image::product_family() const { return product_family_; }
std::uint32_t Image::ip_version() const { return ip_version_; }
const std::vector<Section>& Image::sections() const { return sections_; }
const std::vector<Kernel>& Image::kernels() const { return kernels_; }
std::span<const std::byte> Image::file() const { return file_; }

std::span<const std::byte> Image::section_bytes(std::uint32_t index) const {
  if (index >= sections_.size() || sections_[index].type == section_type::kNoBits) {
    return {};
  }
  return std::span(file_).subspan(sections_[index].offset, sections_[index].size);
}

std::vector<std::string> Image::imports() const {
  std::set<std::string> names;
  for (std::uint32_t index = 0; index < sections_.size(); ++index) {
    const std::string& section = sections_[index].name;
    if (!section.starts_with(".text.") && !section.starts_with(".data.")) {
      continue;
    }
    for (const Relocation& relocation : elf_->relocations[index]) {
      const Symbol& symbol = elf_->symbols[relocation.symbol];
      if (symbol.section == 0 && symbol.name != kCrossThreadOffset) {
        names.insert(symbol.name);
      }
    }
  }
  return {names.begin(), names.end()};
}

Exports Image::exports(const Placement& placement) const {
  Exports exports;
  for (const Symbol& symbol : elf_->symbols) {
    const auto place = placement.find(symbol.section);
    if (symbol.is_global && symbol.section != 0 && place != placement.end()) {
      exports.emplace(symbol.name, place->second + symbol.value);
    }
  }
  return exports;
}

std::variant<std::vector<std::byte>, std::string> Image::relocated(
    std::uint32_t index, const Placement& placement, const Exports& others) const {
  if (index >= sections_.size()) {
    return "section " + std::to_string(index) + " does not exist";
  }
  const auto original = section_bytes(index);
  std::vector<std::byte> bytes(original.begin(), original.end());
  if (sections_[index].type == section_type::kNoBits) {
    bytes.resize(sections_[index].size);
  }
  const bool has_implicit_arguments = std::ranges::any_of(kernels_, [&](const Kernel& kernel) {
    return kernel.text_section == index && kernel.has_implicit_arguments;
  });
  for (const Relocation& relocation : elf_->relocations[index]) {
    const Symbol& symbol = elf_->symbols[relocation.symbol];
    std::uint64_t value = 0;
    if (symbol.section == 0) {
      if (symbol.name == kCrossThreadOffset) {
        value = has_implicit_arguments ? kImplicitArgumentBytes : 0;
      } else if (const auto found = others.find(symbol.name); found != others.end()) {
        value = found->second;
      } else {
        return sections_[index].name + ": undefined symbol `" + symbol.name + "`";
      }
    } else {
      const auto place = placement.find(symbol.section);
      if (place == placement.end()) {
        return sections_[index].name + ": symbol `" + symbol.name + "` is in a section that has no address";
      }
      value = place->second + symbol.value;
    }
    apply_relocation(bytes, relocation, value);
  }
  return bytes;
}

}  // namespace xesim::zebin
