#include "eu/decode/operand.hpp"

namespace xesim::eu {
namespace {

constexpr std::uint8_t kWordBits = 16;
constexpr const char* kReservedSystolicType = "reserved data type of an operand of dpas";

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

DataType OperandDecoder::type_in(const TypeTable& types, const Field& field, const char* reason) {
  const auto type = types[get(field)];
  if (!type.has_value()) reject(reason);
  return type.value_or(DataType::Ud);
}

DataType OperandDecoder::type_of(const DestinationLayout& layout) {
  return type_in(types_.destination, layout.type, "reserved data type");
}

DataType OperandDecoder::type_of(const SourceLayout& layout) {
  return type_in(types_.source, layout.type, "reserved data type");
}

Operand OperandDecoder::whole_register(const Field& file, const Field& register_number) {
  Operand operand;
  const auto number = static_cast<std::uint16_t>(get(register_number));
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
  const unsigned first_math_macro = encoding_.first_math_macro_accumulator;
  if (operand.arf == Arf::Accumulator && operand.register_number >= first_math_macro) {
    operand.arf = Arf::Mme;
    operand.register_number -= static_cast<std::uint16_t>(first_math_macro);
  }
  return operand;
}

template <class Layout>
Operand OperandDecoder::named_register(const Layout& layout) {
  Operand operand = whole_register(layout.file, layout.register_);
  operand.byte_offset = static_cast<std::uint16_t>(get(layout.subregister) * layout.offset_unit);
  return operand;
}

template <class Layout>
Operand OperandDecoder::indirect_register(const Layout& layout) {
  Operand operand;
  operand.file = RegisterFile::Grf;
  operand.indirect = true;
  operand.address_subregister = static_cast<std::uint8_t>(get(layout.address_subregister));
  operand.address_immediate = static_cast<std::int16_t>(
      extract_signed(word_, layout.address_immediate) * layout.offset_unit);
  return operand;
}

Operand OperandDecoder::destination(const DestinationLayout& layout) {
  Operand operand = flag(layout.indirect) ? indirect_register(layout) : named_register(layout);
  operand.type = type_of(layout);
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
  operand = flag(layout.indirect) ? indirect_register(layout) : named_register(layout);
  operand.type = type_of(layout);
  operand.negate = flag(layout.negate);
  operand.absolute = flag(layout.absolute);
  region(operand, layout);
  return operand;
}

void OperandDecoder::immediate(Operand& operand, const SourceLayout& layout) {
  operand.file = RegisterFile::Immediate;
  operand.type = type_in(types_.immediate, layout.type, "reserved type of an immediate");
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
  Operand operand = named_register(layout);
  operand.type = type_of(layout);
  operand.region.horizontal = flag(layout.horizontal) ? 2 : 1;
  return operand;
}

Operand OperandDecoder::ternary_source(const SourceLayout& layout) {
  Operand operand;
  if (flag(layout.is_immediate)) {
    ternary_immediate(operand, layout);
    return operand;
  }
  operand = named_register(layout);
  operand.type = type_of(layout);
  operand.negate = flag(layout.negate);
  operand.absolute = flag(layout.absolute);
  ternary_region(operand, layout);
  return operand;
}

// 16 bits, extended to the type.
void OperandDecoder::ternary_immediate(Operand& operand, const SourceLayout& layout) {
  operand.file = RegisterFile::Immediate;
  operand.type = type_of(layout);
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

Operand OperandDecoder::systolic_sum(const DestinationLayout& layout) {
  Operand operand = named_register(layout);
  operand.type = type_in(encoding_.values.dpas_sum_types, layout.type, kReservedSystolicType);
  operand.region.horizontal = 1;
  return operand;
}

Operand OperandDecoder::systolic_sum(const SourceLayout& layout) {
  return systolic_source(layout, encoding_.values.dpas_sum_types);
}

Operand OperandDecoder::systolic_factor(const SourceLayout& layout) {
  const Operand operand = systolic_source(layout, encoding_.values.dpas_factor_types);
  if (operand.file != RegisterFile::Grf) reject("an architecture register as a factor of dpas");
  return operand;
}

Operand OperandDecoder::systolic_source(const SourceLayout& layout, const TypeTable& types) {
  Operand operand = named_register(layout);
  if (flag(layout.is_immediate)) reject("an immediate as the source of dpas");
  if (operand.file == RegisterFile::Arf && !operand.is_null()) {
    reject("an architecture register as the source of dpas");
  }
  operand.type = type_in(types, layout.type, kReservedSystolicType);
  operand.region = {.vertical = 1, .width = 1, .horizontal = 0};
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
  Operand operand = named_register(layout);
  operand.type = DataType::Ud;
  operand.region.horizontal = 1;
  return operand;
}

Operand OperandDecoder::scalar_dword(const SourceLayout& layout) {
  Operand operand = named_register(layout);
  operand.type = DataType::Ud;
  return operand;
}

Operand OperandDecoder::sync_register(const SourceLayout& layout) {
  Operand operand = named_register(layout);
  // The type of the null register is of no account.
  operand.type = operand.is_null() ? types_.source[get(layout.type)].value_or(DataType::Ub)
                                   : type_of(layout);
  return operand;
}

Operand OperandDecoder::sync_tokens(const SourceLayout& layout) {
  Operand operand;
  operand.file = RegisterFile::Immediate;
  operand.immediate = get(layout.immediate);
  return operand;
}

Operand OperandDecoder::sync_immediate(const SourceLayout& layout) {
  Operand operand;
  immediate(operand, layout);
  if (has_immediate64_) reject("a 64-bit immediate on sync");
  return operand;
}

Operand OperandDecoder::payload(const Field& file, const Field& register_number) {
  Operand operand = whole_register(file, register_number);
  operand.type = DataType::Ud;
  operand.region = {.vertical = 1, .width = 1, .horizontal = 0};
  return operand;
}

void OperandDecoder::as_math_macro(Operand& operand, const Field& math_macro) {
  constexpr std::uint64_t kNone = 8;
  if (operand.file == RegisterFile::Immediate) {
    reject("an immediate as the operand of a math macro");
  }
  if (operand.indirect) return;
  const std::uint64_t number = get(math_macro);
  if (number > kNone) reject("reserved math macro register");
  operand.math_macro_register = static_cast<std::uint8_t>(number);
  operand.byte_offset = 0;
}

}  // namespace xesim::eu
