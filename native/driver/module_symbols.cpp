// Looking up a module's variables and functions by name, in the symbol table of its file.
#include <algorithm>

#include "driver/module.hpp"
#include "zebin/elf.hpp"

namespace xesim::driver {

namespace {

// The defined symbol `name`, or null.
const zebin::Symbol* find_symbol(const zebin::Elf& elf, const std::string& name) {
  const auto found = std::ranges::find_if(elf.symbols, [&](const zebin::Symbol& symbol) {
    return symbol.section != 0 && symbol.name == name;
  });
  return found != elf.symbols.end() ? &*found : nullptr;
}

bool is_data(const zebin::Section& section) {
  return section.name.starts_with(".data.") || section.name.starts_with(".bss.");
}

// Bytes from `symbol` to the next one of its section, or to the section's end: what the variable
// may take up.
std::uint64_t extent(const zebin::Elf& elf, const zebin::Symbol& symbol,
                     std::uint64_t section_size) {
  std::uint64_t end = section_size;
  for (const zebin::Symbol& other : elf.symbols) {
    if (other.section == symbol.section && other.value > symbol.value) {
      end = std::min(end, other.value);
    }
  }
  return end - symbol.value;
}

}  // namespace

std::optional<Module::Variable> Module::find_variable(const std::string& name) const {
  const auto parsed = zebin::parse_elf(image_.file());
  const auto& elf = std::get<zebin::Elf>(parsed);  // load() has parsed it before
  const zebin::Symbol* symbol = find_symbol(elf, name);
  if (symbol == nullptr) {
    return std::nullopt;
  }
  const auto placed = placement_.find(symbol->section);
  if (placed == placement_.end() || !is_data(image_.sections()[symbol->section])) {
    return std::nullopt;
  }
  const std::uint64_t size = image_.sections()[symbol->section].size;
  if (symbol->value > size) {
    return std::nullopt;
  }
  return Variable{placed->second + symbol->value, extent(elf, *symbol, size)};
}

std::optional<std::uint64_t> Module::find_function(const std::string& name) const {
  if (const zebin::Kernel* kernel = find_kernel(name)) {
    return addresses(*kernel).code;
  }
  const auto parsed = zebin::parse_elf(image_.file());
  const auto& elf = std::get<zebin::Elf>(parsed);
  const zebin::Symbol* symbol = find_symbol(elf, name);
  if (symbol == nullptr) {
    return std::nullopt;
  }
  const auto placed = placement_.find(symbol->section);
  if (placed == placement_.end() || is_data(image_.sections()[symbol->section])) {
    return std::nullopt;
  }
  return placed->second + symbol->value;
}

}  // namespace xesim::driver
