#include "eu/expand.hpp"

namespace xesim::eu {

std::optional<Word> expand(const Encoding& encoding, Opcode opcode, const Word& compact) {
  const std::uint32_t wanted = format_bit(format_of(opcode));
  for (const CompactForm& form : encoding.compact_forms) {
    if ((form.formats & wanted) == 0) continue;
    Word native;
    insert(native, encoding.common.opcode, extract(compact, encoding.common.opcode));
    insert(native, encoding.common.breakpoint, extract(compact, encoding.compact_breakpoint));
    for (const Copied& copied : form.copied) {
      insert(native, copied.native, extract(compact, copied.compact));
    }
    for (const Looked& looked : form.looked) {
      const std::uint64_t index = extract(compact, looked.index);
      if (index >= looked.values.size() || looked.values[index] == kReserved) return std::nullopt;
      insert(native, looked.native, looked.values[index]);
    }
    return native;
  }
  return std::nullopt;
}

}  // namespace xesim::eu
