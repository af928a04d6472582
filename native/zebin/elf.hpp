// The ELF64 container of a native module, read with every offset checked against the file.
// Formats: System V gABI; section types, relocation types and notes of EM_INTELGT as in the zebin
// specification (elf.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace xesim::zebin {

inline constexpr std::uint16_t kMachineIntelGt = 205;

namespace section_type {
inline constexpr std::uint32_t kSymbolTable = 2;
inline constexpr std::uint32_t kRela = 4;
inline constexpr std::uint32_t kNote = 7;
inline constexpr std::uint32_t kNoBits = 8;
inline constexpr std::uint32_t kRel = 9;
inline constexpr std::uint32_t kZeInfo = 0xFF000011;
}  // namespace section_type

enum class RelocationType : std::uint32_t { Address64 = 1, Address32 = 2, Address32High = 3,
                                            Address16 = 7 };

// Bytes that a relocation of `type` writes; 0 for types that the format does not define for code
// and data.
[[nodiscard]] std::uint32_t relocation_width(std::uint32_t type);

struct SectionHeader {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
};

struct Symbol {
  std::string name;
  std::uint64_t value = 0;
  std::uint16_t section = 0;   // 0: undefined
  bool is_global = false;      // other modules may refer to it
};

struct Relocation {
  std::uint64_t offset = 0;    // in the section that it changes
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;     // 0 for REL: what is in place is a placeholder, not an addend
};

// Little-endian value of type T at `offset`; the caller has checked that it is inside.
template <typename T>
[[nodiscard]] T load(std::span<const std::byte> bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}
template <typename T>
void store(std::span<std::byte> bytes, std::uint64_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

// Places of fields that debug_image() rewrites.
namespace elf_header {
inline constexpr std::uint64_t kType = 16, kProgramHeaders = 32, kSectionHeaders = 40,
                               kProgramHeaderSize = 54, kProgramHeaderCount = 56, kBytes = 64;
inline constexpr std::uint16_t kExecutable = 2;
}  // namespace elf_header
namespace elf_section {
inline constexpr std::uint64_t kAddress = 16, kBytes = 64;
}
namespace elf_symbol {
inline constexpr std::uint64_t kValue = 8, kBytes = 24;
}

struct Elf {
  std::vector<SectionHeader> sections;
  std::vector<Symbol> symbols;                     // of the one symbol table
  std::uint32_t symbol_table = 0;                  // its section; 0 when there is none
  std::vector<std::vector<Relocation>> relocations;  // by the section that they change
  std::uint64_t section_header_offset = 0;
};

// The container, or one line that says what is wrong and where.
[[nodiscard]] std::variant<Elf, std::string> parse_elf(std::span<const std::byte> file);

}  // namespace xesim::zebin
