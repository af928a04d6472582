// A native module (zebin): ELF sections, symbols, relocations and what .ze_info says of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "zebin/kernel.hpp"

namespace xesim::zebin {

struct Elf;

struct Section {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;   // in the file
  std::uint64_t size = 0;
};

// The variables that start as zero, `.bss.X`, lie right after those with values, `.data.X`, of the
// same kind: code reaches both through one base. Gives the section in front of section `index`, or
// nothing when that is no such section or lies alone.
[[nodiscard]] std::optional<std::uint32_t> section_in_front(const std::vector<Section>& sections,
                                                            std::uint32_t index);

// Whether a section called so is a segment of the image that debuggers get. Texts, which are the
// host's, are none; nor is what starts as zero, of the segment in front of it.
[[nodiscard]] bool is_segment(std::string_view section_name);

// Where sections were placed: ELF section index to global address.
using Placement = std::map<std::uint32_t, std::uint64_t>;

// Where a module's variables of a kind, "const" or "global", begin: what its code reaches all of them
// from. Those with values, `.data.KIND`, come first, and without such those that start as zero,
// `.bss.KIND`; 0 without any.
[[nodiscard]] std::uint64_t variables_address(const std::vector<Section>& sections,
                                              const Placement& placement, std::string_view kind);

// Functions and variables by name, at global addresses: what modules give to each other.
using Exports = std::map<std::string, std::uint64_t, std::less<>>;

class Image {
 public:
  // Checks everything that it keeps; the error is one line that names what is wrong and where.
  static std::variant<Image, std::string> parse(std::span<const std::byte> file);

  [[nodiscard]] std::uint32_t product_family() const;     // note 1; 0 when absent
  [[nodiscard]] std::uint32_t ip_version() const;         // note 6; 0 when absent
  [[nodiscard]] const std::vector<Section>& sections() const;
  [[nodiscard]] const std::vector<Kernel>& kernels() const;
  [[nodiscard]] std::span<const std::byte> section_bytes(std::uint32_t index) const;
  [[nodiscard]] std::span<const std::byte> file() const;

  // What code and data refer to but other modules define, in the order of the names.
  [[nodiscard]] std::vector<std::string> imports() const;
  // What other modules may refer to, where `placement` puts it.
  [[nodiscard]] Exports exports(const Placement& placement) const;

  // The bytes of section `index` with its relocations applied for `placement` and for the imports
  // that `others` define; the error names the symbol that could not be resolved.
  [[nodiscard]] std::variant<std::vector<std::byte>, std::string> relocated(
      std::uint32_t index, const Placement& placement, const Exports& others = {}) const;

  // The ELF that MODULE_LOAD announces: ET_EXEC, section addresses and program headers for
  // `placement` (with `allocated` bytes each), symbols and sections relocated as far as the module
  // itself defines what they refer to.
  [[nodiscard]] std::vector<std::byte> debug_image(
      const Placement& placement, const std::map<std::uint32_t, std::uint64_t>& allocated) const;

 private:
  std::vector<std::byte> file_;
  std::shared_ptr<const Elf> elf_;
  std::vector<Section> sections_;
  std::vector<Kernel> kernels_;
  std::uint32_t product_family_ = 0;
  std::uint32_t ip_version_ = 0;
};

}  // namespace xesim::zebin
