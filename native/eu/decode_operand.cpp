#include "eu/decode_operand.hpp"

namespace xesim::eu {
namespace {

constexpr unsigned kFirstMathMacroAccumulator = 8;  // acc8 and up are mme0 and up
constexpr std::uint8_t kWordBits = 16;

unsigned immediate_bits(DataType type) {
  switch (type) {
    case DataType::Uw:
    case DataType::W:
    case DataType::Hf:
    case DataType::Bf: return kWordBits;
    case DataType::Uq:
    case DataType::Q:
    case DataType::Df: return 64;
    default: return 32;
  }
}

}  // namespace

DataType OperandDecoder::register_type(const Field& field) {
  const auto type = encoding_.values.register_types[get(field)];
  if (!type.has_value()) reject("reserved data type");
  return type.value_or(DataType::Ud);
}

Operand OperandDecoder::named_register(const Field& file, const Field& register_number,
                                       const Field& subregister) {
  Operand operand;
  const auto number = static_cast<std::uint16_t>(get(register_number));
  operand.byte_offset = static_cast<std::uint16_t>(get(subregister) * encoding_.subregister_unit);
  if (flag(file)) {
    operand.file = RegisterFile::Grf;
    operand.register_number = number;
    return operand;
  }
  const auto arf = encoding_.values.architecture_registers[number >> 4];
  if (!arf.has_value()) reject("reserved architecture register");
  operand.file = RegisterFile::Arf;
  operand.arf = arf.value_or(Arf::Unknown);
  operand.register_number = number & 0xF;
  if (operand.arf == Arf::Accumulator && operand.register_number >= kFirstMathMacroAccumulator) {
    operand.arf = Arf::Mme;
    operand.register_number -= kFirstMathMacroAccumulator;
  }
  return operand;
}

Operand OperandDecoder::destination(const DestinationLayout& layout) {
  Operand operand;
  if (flag(layout.indirect)) {
    operand.file = RegisterFile::Grf;
    operand.indirect = true;
    operand.address_subregister = static_cast<std::uint8_t>(get(layout.address_subregister));
    operand.address_immediate =
        static_cast<std::int16_t>(extract_signed(word_, layout.address_immediate));
  } else {
    operand = named_register(layout.file, layout.register_, layout.subregister);
  }
  operand.type = register_type(layout.type);
  const auto& strides = encoding_.values.horizontal_strides;
  operand.region.horizontal = strides[get(layout.horizontal)].value_or(0);
  return operand;
}

Operand OperandDecoder::source(const SourceLayout& layout) {
  Operand operand;
  if (flag(layout.is_immediate)) {
    immediate(operand, layout);
    return operand;
  }
  if (flag(layout.indirect)) {
    operand.file = RegisterFile::Grf;
    operand.indirect = true;
    operand.address_subregister = static_cast<std::uint8_t>(get(layout.address_subregister));
    operand.address_immediate =
        static_cast<std::int16_t>(extract_signed(word_, layout.address_immediate));
  } else {
    operand = named_register(layout.file, layout.register_, layout.subregister);
  }
  operand.type = register_type(layout.type);
  operand.negate = flag(layout.negate);
  operand.absolute = flag(layout.absolute);
  region(operand, layout);
  return operand;
}

void OperandDecoder::immediate(Operand& operand, const SourceLayout& layout) {
  const auto type = encoding_.values.immediate_types[get(layout.type)];
  if (!type.has_value()) reject("reserved type of an immediate");
  operand.file = RegisterFile::Immediate;
  operand.type = type.value_or(DataType::Ud);
  const unsigned bits = immediate_bits(operand.type);
  if (bits <= 32) {
    operand.immediate = get(layout.immediate) & low_mask(bits);
    return;
  }
  if (layout.immediate64.count == 0) reject("a 64-bit immediate with two sources");
  operand.immediate = get(layout.immediate64);
  has_immediate64_ = true;
}

void OperandDecoder::region(Operand& operand, const SourceLayout& layout) {
  const Values& values = encoding_.values;
  const std::uint64_t vertical = get(layout.vertical);
  const auto width = values.widths[get(layout.width)];
  if (!width.has_value()) reject("reserved region width");
  operand.region.width = width.value_or(1);
  operand.region.horizontal = values.horizontal_strides[get(layout.horizontal)].value_or(0);
  if (vertical == values.vertical_by_address && operand.indirect) {
    operand.region.vertical_by_address = true;
    return;
  }
  const auto stride = values.vertical_strides[vertical];
  if (!stride.has_value()) reject("reserved vertical stride");
  operand.region.vertical = stride.value_or(0);
}

Operand OperandDecoder::ternary_destination(const DestinationLayout& layout) {
  Operand operand = named_register(layout.file, layout.register_, layout.subregister);
  operand.type = register_type(layout.type);
  operand.region.horizontal = flag(layout.horizontal) ? 2 : 1;
  return operand;
}

Operand OperandDecoder::ternary_source(const SourceLayout& layout) {
  Operand operand;
  if (flag(layout.is_immediate)) {
    ternary_immediate(operand, layout);
    return operand;
  }
  operand = named_register(layout.file, layout.register_, layout.subregister);
  operand.type = register_type(layout.type);
  operand.negate = flag(layout.negate);
  operand.absolute = flag(layout.absolute);
  ternary_region(operand, layout);
  return operand;
}

// 16 bits, extended to the type.
void OperandDecoder::ternary_immediate(Operand& operand, const SourceLayout& layout) {
  operand.file = RegisterFile::Immediate;
  operand.type = register_type(layout.type);
  operand.immediate = get(layout.immediate);
  switch (operand.type) {
    case DataType::D:
      operand.immediate = static_cast<std::uint32_t>(extract_signed(word_, layout.immediate));
      break;
    case DataType::Uw:
    case DataType::W:
    case DataType::Ud:
    case DataType::Hf:
    case DataType::Bf: break;
    default: reject("a 16-bit immediate of a type that has none"); break;
  }
}

// <vertical; horizontal>: the width is what the strides imply. The last source has one stride.
void OperandDecoder::ternary_region(Operand& operand, const SourceLayout& layout) {
  const Values& values = encoding_.values;
  const std::uint8_t horizontal = values.horizontal_strides[get(layout.horizontal)].value_or(0);
  if (layout.vertical.count == 0) {
    operand.region = {.vertical = horizontal, .width = 1, .horizontal = 0};
    return;
  }
  const std::uint8_t vertical = values.ternary_vertical_strides[get(layout.vertical)].value_or(0);
  if (horizontal == 0) {
    operand.region = {.vertical = vertical, .width = 1, .horizontal = 0};
    return;
  }
  if (vertical < horizontal) reject("a region whose strides imply no width");
  operand.region = {.vertical = vertical,
                    .width = static_cast<std::uint8_t>(vertical / horizontal),
                    .horizontal = horizontal};
}

Operand OperandDecoder::whole_register(const DestinationLayout& layout) {
  Operand operand = named_register(layout.file, layout.register_, layout.subregister);
  operand.type = register_type(layout.type);
  operand.region.horizontal = 1;
  return operand;
}

Operand OperandDecoder::whole_register(const SourceLayout& layout) {
  Operand operand = named_register(layout.file, layout.register_, layout.subregister);
  if (flag(layout.is_immediate)) reject("an immediate as the source of dpas");
  if (operand.file == RegisterFile::Arf && !operand.is_null()) {
    reject("an architecture register as the source of dpas");
  }
  operand.type = register_type(layout.type);
  operand.region = {.vertical = 1, .width = 1, .horizontal = 0};
  return operand;
}

Operand OperandDecoder::multiplied_register(const SourceLayout& layout) {
  Operand operand = whole_register(layout);
  if (operand.file != RegisterFile::Grf) reject("an architecture register as a factor of dpas");
  if (!encoding_.values.dpas_factor_types[get(layout.type)].has_value()) {
    reject("reserved data type of a factor of dpas");
  }
  return operand;
}

std::uint8_t OperandDecoder::element_bits(const Operand& multiplied, const Field& precision) {
  constexpr std::array<std::uint8_t, 4> kBits = {8, 4, 2, 0};
  const std::uint64_t value = get(precision);
  const bool narrows = multiplied.type == DataType::B || multiplied.type == DataType::Ub;
  if (kBits[value] == 0 || (value != 0 && !narrows)) {
    reject("reserved precision of a source of dpas");
  }
  return kBits[value];
}

Operand OperandDecoder::scalar_dword(const DestinationLayout& layout) {
  Operand operand = named_register(layout.file, layout.register_, layout.subregister);
  operand.type = DataType::Ud;
  operand.region.horizontal = 1;
  return operand;
}

Operand OperandDecoder::scalar_dword(const SourceLayout& layout) {
  Operand operand = named_register(layout.file, layout.register_, layout.subregister);
  operand.type = DataType::Ud;
  return operand;
}

Operand OperandDecoder::payload(const Field& file, const Field& register_number) {
  Operand operand = named_register(file, register_number, Field{});
  operand.type = DataType::Ud;
  operand.region = {.vertical = 1, .width = 1, .horizontal = 0};
  return operand;
}

void OperandDecoder::as_math_macro(Operand& operand, const Field& math_macro) {
  constexpr std::uint64_t kNone = 8;
  if (operand.file == RegisterFile::Immediate) {
    reject("an immediate as the operand of a math macro");
  }
  const std::uint64_t number = get(math_macro);
  if (number > kNone) reject("reserved math macro register");
  operand.math_macro_register = static_cast<std::uint8_t>(number);
  operand.byte_offset = 0;
}

}  // namespace xesim::eu
