#include "eu/decode/expand.hpp"

namespace xesim::eu {

namespace {

// The native word by one form; nothing where an index is reserved in its tables.
std::optional<Word> expand_by(const CompactForm& form, const Word& compact) {
  Word native;
  for (const Looked& looked : form.looked) {
    const std::uint64_t index = extract(compact, looked.index);
    if (index >= looked.values.size() || looked.values[index] == kReserved) return std::nullopt;
    insert(native, looked.native, looked.values[index]);
  }
  for (const Copied& copied : form.copied) {
    const std::uint64_t value =
        copied.is_signed ? static_cast<std::uint64_t>(extract_signed(compact, copied.compact))
                         : extract(compact, copied.compact);
    insert(native, copied.native, value);
  }
  return native;
}

}  // namespace

std::optional<Word> expand(const Encoding& encoding, Opcode opcode, const Word& compact) {
  const std::uint32_t wanted = format_bit(format_of(opcode));
  for (const CompactForm& form : encoding.compact_forms) {
    if ((form.formats & wanted) == 0) continue;
    std::optional<Word> native = expand_by(form, compact);
    if (!native.has_value()) continue;
    insert(*native, encoding.common.opcode, extract(compact, encoding.common.opcode));
    insert(*native, encoding.common.breakpoint, extract(compact, encoding.compact_breakpoint));
    return native;
  }
  return std::nullopt;
}

}  // namespace xesim::eu
