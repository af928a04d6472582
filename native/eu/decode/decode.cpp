#include "eu/decode/decode.hpp"

#include <cstring>

#include "eu/decode/expand.hpp"
#include "eu/decode/operand.hpp"
#include "eu/isa/messages.hpp"
#include "eu/isa/tables.hpp"

namespace xesim::eu {
namespace {

constexpr std::size_t kCompactBytes = 8;
constexpr std::size_t kNativeBytes = 16;

const OperandTypes& types_of(const Encoding& encoding, Opcode opcode) {
  for (const TypedOperations& special : encoding.special_types) {
    if (special.opcodes.contains(opcode)) return special.types;
  }
  return encoding.types;
}

// Decodes one native word into an Instruction. The first thing that makes no sense is recorded as
// the reason and wins over what follows.
class Decoder {
 public:
  Decoder(const Encoding& encoding, Opcode opcode, const Word& word)
      : encoding_(encoding), word_(word), operands_(encoding, types_of(encoding, opcode), word) {
    instruction_.opcode = opcode;
  }

  Instruction run() {
    const Opcode opcode = instruction_.opcode;
    instruction_.breakpoint = flag(encoding_.common.breakpoint);
    switch (format_of(opcode)) {
      case Format::Illegal: reject("opcode 0 is the illegal instruction"); break;
      case Format::Nop: break;
      case Format::Sync: sync(); break;
      case Format::Unary: basic(1); break;
      case Format::Binary: basic(2); break;
      case Format::Math: math(); break;
      case Format::Ternary: ternary(); break;
      case Format::Bfn: boolean_function(); break;
      case Format::Madm: math_macro_mad(); break;
      case Format::Dpas: dpas(); break;
      case Format::Jump: jump(); break;
      case Format::Diverge: diverge(); break;
      case Format::Call: call(); break;
      case Format::Send: send(); break;
    }
    if (encoding_.features.without_source_modifiers.contains(opcode)) {
      for (Operand& source : instruction_.source) source.negate = source.absolute = false;
    }
    if (reason_ == nullptr) reason_ = operands_.reason();
    if (reason_ != nullptr) instruction_.opcode = Opcode::Illegal;
    instruction_.invalid_reason = reason_;
    return instruction_;
  }

 private:
  [[nodiscard]] std::uint64_t get(const Field& field) const { return extract(word_, field); }
  [[nodiscard]] bool flag(const Field& field) const { return get(field) != 0; }

  void reject(const char* reason) {
    if (reason_ == nullptr) reason_ = reason;
  }

  // The meaning of a coded field; the first enumerator and a rejection where it is reserved.
  template <typename T, std::size_t Size>
  T meaning(const std::array<std::optional<T>, Size>& table, const Field& field,
            const char* reason) {
    const std::uint64_t value = get(field);
    if (value < Size && table[value].has_value()) return *table[value];
    reject(reason);
    return T{};
  }

  void execution_controls() {
    const CommonLayout& common = encoding_.common;
    constexpr std::uint64_t kLargestLog2 = 5;
    const std::uint64_t log2 = get(common.execution_size);
    if (log2 > kLargestLog2) {
      reject("reserved execution size");
    } else {
      instruction_.execution_size = static_cast<std::uint8_t>(1u << log2);
    }
    instruction_.channel_offset =
        static_cast<std::uint8_t>(get(common.channel_offset) * encoding_.channel_offset_unit);
    instruction_.no_mask = flag(common.no_mask);
    if (!encoding_.features.without_predicate.contains(instruction_.opcode)) {
      instruction_.predicate =
          meaning(encoding_.values.predicates, common.predicate, "reserved predicate control");
      instruction_.predicate_inverted = flag(common.predicate_inverted);
    }
    instruction_.flag_register = static_cast<std::uint8_t>(get(common.flag_register));
    instruction_.flag_subregister = static_cast<std::uint8_t>(get(common.flag_subregister));
    instruction_.atomic = flag(common.atomic);
  }

  void arithmetic_controls() {
    execution_controls();
    instruction_.accumulator_write = flag(encoding_.common.accumulator_write);
    instruction_.saturate =
        !encoding_.features.without_saturation.contains(instruction_.opcode) &&
        flag(encoding_.common.saturate);
  }

  void condition(const Field& field) {
    if (encoding_.features.without_condition.contains(instruction_.opcode)) return;
    instruction_.condition =
        meaning(encoding_.values.conditions, field, "reserved condition modifier");
  }

  void basic(std::uint8_t sources) {
    const BasicLayout& layout = encoding_.basic;
    arithmetic_controls();
    instruction_.source_count = sources;
    instruction_.destination = operands_.destination(layout.destination);
    instruction_.source[0] = operands_.source(layout.source0);
    if (sources == 2) {
      if (instruction_.source[0].file == RegisterFile::Immediate) {
        reject("an immediate first source with two sources");
      }
      instruction_.source[1] = operands_.source(layout.source1);
    }
    // The upper dword of a 64-bit immediate lies where the condition modifier would.
    if (!operands_.has_immediate64()) condition(encoding_.common.condition);
  }

  void sync() {
    execution_controls();
    instruction_.execution_size = 1;
    const Values& values = encoding_.values;
    const Field& function = encoding_.basic.function;
    const SourceLayout& layout = encoding_.basic.source0;
    if (flag(layout.is_immediate)) {
      instruction_.sync =
          meaning(values.sync_functions_of_immediates, function, "no such sync of an immediate");
      instruction_.source_count = 1;
      instruction_.source[0] = has_tokens(instruction_.sync) ? operands_.sync_tokens(layout)
                                                             : operands_.sync_immediate(layout);
      return;
    }
    instruction_.sync = meaning(values.sync_functions, function, "reserved sync function");
    if (flag(layout.file)) reject("a general register as the operand of sync");
    if (encoding_.sync_has_register) {
      instruction_.source_count = 1;
      instruction_.source[0] = operands_.sync_register(layout);
    }
  }

  void math() {
    const BasicLayout& layout = encoding_.math;
    if (flag(layout.must_be_zero)) reject("an indirect destination on math");
    arithmetic_controls();
    instruction_.math =
        meaning(encoding_.values.math_functions, layout.function, "reserved math function");
    const bool macro = is_math_macro(instruction_.math);
    const bool two = has_two_sources(instruction_.math);
    instruction_.source_count = two ? 2 : 1;
    instruction_.destination = operands_.destination(layout.destination);
    instruction_.source[0] = operands_.source(layout.source0);
    if (two) instruction_.source[1] = operands_.source(layout.source1);
    if (operands_.has_immediate64()) reject("a 64-bit immediate on math");
    if (!macro) return;
    instruction_.condition = Condition::Eo;
    operands_.as_math_macro(instruction_.destination, layout.destination.math_macro);
    operands_.as_math_macro(instruction_.source[0], layout.source0.math_macro);
    if (two) operands_.as_math_macro(instruction_.source[1], layout.source1.math_macro);
  }

  void three_sources() {
    const TernaryLayout& layout = encoding_.ternary;
    arithmetic_controls();
    instruction_.source_count = 3;
    instruction_.destination = operands_.ternary_destination(layout.destination);
    instruction_.source[0] = operands_.ternary_source(layout.source0);
    instruction_.source[1] = operands_.ternary_source(layout.source1);
    instruction_.source[2] = operands_.ternary_source(layout.source2);
  }

  void ternary() {
    three_sources();
    condition(encoding_.common.condition);
  }

  void boolean_function() {
    three_sources();
    instruction_.condition =
        meaning(encoding_.values.boolean_conditions, encoding_.ternary.boolean_condition,
                "reserved condition modifier");
    instruction_.boolean_function =
        static_cast<std::uint8_t>(get(encoding_.ternary.boolean_function));
  }

  void math_macro_mad() {
    const TernaryLayout& layout = encoding_.ternary;
    three_sources();
    condition(encoding_.common.condition);
    operands_.as_math_macro(instruction_.destination, layout.destination.math_macro);
    instruction_.destination.region.horizontal = 1;
    operands_.as_math_macro(instruction_.source[0], layout.source0.math_macro);
    operands_.as_math_macro(instruction_.source[1], layout.source1.math_macro);
    operands_.as_math_macro(instruction_.source[2], layout.source2.math_macro);
  }

  void dpas() {
    const TernaryLayout& layout = encoding_.ternary;
    const DpasLayout& fields = encoding_.dpas;
    arithmetic_controls();
    instruction_.source_count = 3;
    instruction_.destination = operands_.systolic_sum(layout.destination);
    instruction_.source[0] = operands_.systolic_sum(layout.source0);
    instruction_.source[1] = operands_.systolic_factor(layout.source1);
    instruction_.source[2] = operands_.systolic_factor(layout.source2);
    instruction_.dpas_source1_bits =
        operands_.element_bits(instruction_.source[1], fields.source1_precision);
    instruction_.dpas_source2_bits =
        operands_.element_bits(instruction_.source[2], fields.source2_precision);
    instruction_.dpas_depth =
        meaning(encoding_.values.systolic_depths, fields.depth, "reserved systolic depth");
    instruction_.dpas_repeat = static_cast<std::uint8_t>(get(fields.repeat) + 1);
  }

  // The target in JIP: an immediate, or the first source.
  void jump_target() {
    if (flag(encoding_.branch.jip_is_immediate)) {
      instruction_.jip = static_cast<std::int32_t>(get(encoding_.branch.jip));
      return;
    }
    instruction_.source_count = 1;
    instruction_.source[0] = operands_.scalar_dword(encoding_.basic.source0);
  }

  void jump() {
    execution_controls();
    if (instruction_.opcode == Opcode::Jmpi) instruction_.execution_size = 1;
    jump_target();
  }

  void diverge() {
    execution_controls();
    const BranchLayout& branch = encoding_.branch;
    if (!flag(branch.jip_is_immediate)) reject("a register where a jump needs an immediate");
    if (!flag(branch.uip_is_immediate)) reject("a jump without its second immediate target");
    instruction_.branch_control =
        has_branch_control(instruction_.opcode) && flag(branch.branch_control);
    instruction_.jip = static_cast<std::int32_t>(get(branch.jip));
    instruction_.uip = static_cast<std::int32_t>(get(branch.uip));
  }

  void call() {
    execution_controls();
    instruction_.destination = operands_.scalar_dword(encoding_.basic.destination);
    jump_target();
  }

  // What is added to the extended descriptor in a register.
  [[nodiscard]] std::uint32_t extended_offset(bool bindless_bit) const {
    constexpr unsigned kFirstBit = 11;
    constexpr unsigned kBindlessBit = 15;
    constexpr unsigned kFirstHighBit = 19;
    const SendLayout& layout = encoding_.send;
    return static_cast<std::uint32_t>(get(layout.extended_offset_low) << kFirstBit |
                                      std::uint64_t{bindless_bit} << kBindlessBit |
                                      get(layout.extended_offset_high) << kFirstHighBit);
  }

  void send() {
    execution_controls();
    const SendLayout& layout = encoding_.send;
    SendFields& out = instruction_.send;
    out.function = meaning(encoding_.values.shared_functions, layout.shared_function,
                           "reserved shared function");
    out.end_of_thread = flag(layout.end_of_thread);
    out.descriptor_in_register = flag(layout.descriptor_in_register);
    out.extended_descriptor_in_register = flag(layout.extended_descriptor_in_register);
    if (!out.descriptor_in_register) {
      out.descriptor = static_cast<std::uint32_t>(get(layout.descriptor));
      out.response_length = static_cast<std::uint8_t>(kResponseLength.of(out.descriptor));
      out.source0_length = static_cast<std::uint8_t>(kMessageLength.of(out.descriptor));
    }
    const bool has_bindless = encoding_.values.bindless_offset_functions[get(
        layout.shared_function)].has_value();
    if (out.extended_descriptor_in_register) {
      out.extended_descriptor_subregister =
          static_cast<std::uint8_t>(get(layout.extended_descriptor_subregister));
      const bool bindless_bit = flag(layout.extended_bindless_offset);
      out.extended_bindless_offset = has_bindless && bindless_bit;
      out.extended_offset = extended_offset(bindless_bit && !has_bindless);
    } else {
      constexpr unsigned kFirstExtendedBit = 11;
      out.extended_descriptor =
          static_cast<std::uint32_t>(get(layout.extended_descriptor) << kFirstExtendedBit);
    }
    if (!out.extended_descriptor_in_register || !has_bindless || out.extended_bindless_offset) {
      out.source1_length = static_cast<std::uint8_t>(get(layout.source1_length));
    }
    instruction_.source_count = 2;
    instruction_.destination = operands_.payload(layout.destination_file, layout.destination);
    instruction_.source[0] = operands_.payload(layout.source0_file, layout.source0);
    instruction_.source[1] = operands_.payload(layout.source1_file, layout.source1);
  }

  const Encoding& encoding_;
  const Word& word_;
  OperandDecoder operands_;
  Instruction instruction_;
  const char* reason_ = nullptr;
};

Instruction invalid(const char* reason, std::size_t length) {
  Instruction instruction;
  instruction.length = static_cast<std::uint8_t>(length);
  instruction.invalid_reason = reason;
  return instruction;
}

}  // namespace

Instruction decode(Platform platform, std::span<const std::byte> code) {
  const Encoding* encoding = encoding_of(platform);
  if (encoding == nullptr) return invalid("no decoder for this platform", kNativeBytes);
  if (code.size() < kCompactBytes) return invalid("fewer than 8 bytes", kNativeBytes);

  Word word;
  std::memcpy(&word.low, code.data(), sizeof word.low);
  const bool compacted = extract(word, encoding->common.compacted) != 0;
  const std::size_t length = compacted ? kCompactBytes : kNativeBytes;
  if (code.size() < length) return invalid("fewer than 16 bytes", length);
  if (!compacted) std::memcpy(&word.high, code.data() + kCompactBytes, sizeof word.high);

  const std::optional<Opcode> opcode = encoding->opcodes[extract(word, encoding->common.opcode)];
  if (!opcode.has_value()) return invalid("reserved opcode", length);
  if (compacted) {
    const std::optional<Word> native = expand(*encoding, *opcode, word);
    if (!native.has_value()) {
      Instruction instruction = invalid("no such compacted form", length);
      instruction.breakpoint = extract(word, encoding->compact_breakpoint) != 0;
      return instruction;
    }
    word = *native;
  }
  Instruction instruction = Decoder(*encoding, *opcode, word).run();
  instruction.length = static_cast<std::uint8_t>(length);
  return instruction;
}

std::string mnemonic(const Instruction& instruction) {
  std::string name(spelling(instruction.opcode));
  switch (instruction.opcode) {
    case Opcode::Math: return name.append(".").append(spelling(instruction.math));
    case Opcode::Sync: return name.append(".").append(spelling(instruction.sync));
    case Opcode::Send:
    case Opcode::Sendc: return name.append(".").append(spelling(instruction.send.function));
    default: return instruction.branch_control ? name.append(".b") : name;
  }
}

}  // namespace xesim::eu
