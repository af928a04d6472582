// Decodes a file of instructions and prints one line of fields for each, for comparison with the
// decoder in zedbg/xe/decoding.py (tests/support/xe/decoded_text.py writes the same text):
//   xesim_eu_decode_dump FILE [PLATFORM]

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eu/decode/decode.hpp"
#include "eu/isa/tables.hpp"

namespace {

using namespace xesim::eu;

std::string number(std::uint64_t value) { return std::to_string(value); }

template <typename T>
std::string name(T value) {
  return std::string(spelling(value));
}

std::string describe(const Operand& operand, bool is_destination) {
  const std::string type = name(operand.type);
  if (operand.file == RegisterFile::Immediate) {
    return "imm:" + number(operand.immediate) + ":" + type;
  }
  std::string text;
  if (operand.negate) text += "-";
  if (operand.absolute) text += "|";
  if (operand.indirect) {
    text += "a" + number(operand.address_subregister) + "+" +
            std::to_string(operand.address_immediate);
  } else if (operand.file == RegisterFile::Grf) {
    text += "r" + number(operand.register_number) + "@" + number(operand.byte_offset);
  } else {
    text += name(operand.arf) + number(operand.register_number) + "@" +
            number(operand.byte_offset);
  }
  const Region& region = operand.region;
  if (is_destination) {
    text += "<" + number(region.horizontal) + ">";
  } else {
    text += "<" + (region.vertical_by_address ? "a" : number(region.vertical)) + ";" +
            number(region.width) + "," + number(region.horizontal) + ">";
  }
  text += ":" + type;
  if (operand.math_macro_register != 8) text += ":mme" + number(operand.math_macro_register);
  return text;
}

std::string describe(const SendFields& send) {
  std::string text = " sfid=" + name(send.function);
  text += " desc=" + (send.descriptor_in_register ? "a0" : number(send.descriptor));
  text += " exdesc=" + (send.extended_descriptor_in_register
                            ? "a0." + number(send.extended_descriptor_subregister)
                            : number(send.extended_descriptor));
  text += " exbso=" + number(send.extended_bindless_offset);
  text += " offset=" + number(send.extended_offset);
  text += " lengths=" + number(send.source0_length) + "," + number(send.source1_length) + "," +
          number(send.response_length);
  text += " eot=" + number(send.end_of_thread);
  return text;
}

std::string describe(const Instruction& in) {
  if (in.opcode == Opcode::Illegal) {
    return "illegal length=" + number(in.length);
  }
  std::string text = mnemonic(in);
  text += " length=" + number(in.length);
  text += " exec=" + number(in.execution_size) + "@" + number(in.channel_offset);
  text += " mask=" + number(in.no_mask);
  text += " pred=" + name(in.predicate) + "," +
          number(in.predicate_inverted);
  text += " flag=" + number(in.flag_register) + "." + number(in.flag_subregister);
  text += " cond=" + name(in.condition);
  text += " sat=" + number(in.saturate) + " acc=" + number(in.accumulator_write);
  text += " atomic=" + number(in.atomic) + " breakpoint=" + number(in.breakpoint);
  text += " function=" + number(in.boolean_function);
  text += " dpas=" + number(in.dpas_depth) + "x" + number(in.dpas_repeat) + "," +
          number(in.dpas_source1_bits) + "," + number(in.dpas_source2_bits);
  text += " dst=" + describe(in.destination, true);
  for (std::size_t i = 0; i < in.source_count; ++i) {
    text += " src" + number(i) + "=" + describe(in.source[i], false);
  }
  text += " jip=" + std::to_string(in.jip) + " uip=" + std::to_string(in.uip);
  if (in.opcode == Opcode::Send || in.opcode == Opcode::Sendc) text += describe(in.send);
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s FILE [PLATFORM]\n", arguments[0]);
    return 2;
  }
  const std::string_view platform_name = count > 2 ? arguments[2] : "xe_hpg";
  const std::optional<Platform> platform = platform_named(platform_name);
  if (!platform) {
    std::fprintf(stderr, "%s is no instruction set\n", std::string(platform_name).c_str());
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot open %s\n", arguments[1]);
    return 2;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::span<const std::byte> code = std::as_bytes(std::span(bytes));
  for (std::size_t offset = 0; offset < code.size();) {
    const Instruction instruction = decode(*platform, code.subspan(offset));
    std::printf("%zx %s\n", offset, describe(instruction).c_str());
    offset += instruction.length;
  }
  return 0;
}
