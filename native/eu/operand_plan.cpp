#include "eu/operand_plan.hpp"

#include <algorithm>
#include <cstddef>

#include "eu/register_place.hpp"
#include "eu/thread_state.hpp"

namespace xesim::eu {

namespace {

constexpr unsigned kAddressRegisters = 16;

unsigned grf_bytes_of(Platform platform) { return platform == Platform::XeHpg ? 32 : 64; }

struct Span {
  unsigned bytes = 0;        // from the first byte of the operand to the last one of any lane
  unsigned step = 0;         // bytes between neighbouring lanes, if all are equally far apart
  bool regular = true;
};

Span span_of(const Region& region, unsigned lanes, unsigned size) {
  const auto offset = [&](unsigned lane) {
    return (lane / region.width * region.vertical + lane % region.width * region.horizontal) * size;
  };
  Span span;
  span.step = lanes > 1 ? offset(1) : 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    span.bytes = std::max(span.bytes, offset(lane) + size);
    span.regular = span.regular && offset(lane) == lane * span.step;
  }
  return span;
}

const char* check_bytes(const Instruction& instruction, const RegisterPlace& place,
                        const Operand& operand, unsigned bytes, Platform platform) {
  if (place.position + bytes > place.end) return "an operand beyond the end of its register file";
  if (operand.file == RegisterFile::Grf) {
    const std::size_t last = place.position + bytes - 1 - offsetof(ThreadState, grf);
    const auto registers = static_cast<std::uint16_t>(last / grf_bytes_of(platform) + 1);
    instruction.plan.registers = std::max(instruction.plan.registers, registers);
  }
  return nullptr;
}

const char* check_address_registers(const Instruction& instruction, const Operand& operand) {
  const Region& region = operand.region;
  const unsigned rows =
      region.vertical_by_address ? (instruction.execution_size - 1) / region.width + 1 : 1;
  if (operand.address_subregister + rows > kAddressRegisters) {
    return "an address register beyond a0.15";
  }
  return nullptr;
}

SourceModifier modifier_of(const Instruction& instruction, const Operand& operand) {
  switch (instruction.opcode) {
    case Opcode::And: case Opcode::Or: case Opcode::Xor: case Opcode::Not:
      return operand.negate ? SourceModifier::Complement : SourceModifier::None;
    default: break;
  }
  if (operand.absolute) {
    return operand.negate ? SourceModifier::NegateAbsolute : SourceModifier::Absolute;
  }
  return operand.negate ? SourceModifier::Negate : SourceModifier::None;
}

}  // namespace

const char* plan_source(const Instruction& instruction, unsigned index, Platform platform) {
  const Operand& operand = instruction.source[index];
  SourcePlan& plan = instruction.plan.source[index];
  plan.modifier = modifier_of(instruction, operand);
  if (operand.file == RegisterFile::Immediate) {
    plan.access = is_packed_vector(operand.type) ? SourceAccess::PackedImmediate
                                                 : SourceAccess::Immediate;
    return nullptr;
  }
  const unsigned size = size_of(operand.type);
  if (is_packed_vector(operand.type)) return "a packed vector that is no immediate";
  if (operand.region.width == 0) return "a region without width";
  if (operand.indirect) {
    plan.access = SourceAccess::Indirect;
    return check_address_registers(instruction, operand);
  }
  const RegisterPlace place = place_of(operand, platform, grf_bytes_of(platform));
  if (place.problem != nullptr) return place.problem;
  if (place.computed) {
    plan.access = SourceAccess::Computed;
    return nullptr;
  }
  const Span span = span_of(operand.region, instruction.execution_size, size);
  plan.position = place.position;
  plan.stride = static_cast<std::uint16_t>(span.step);
  if (!span.regular) plan.access = SourceAccess::Region;
  else if (span.step == 0) plan.access = SourceAccess::Scalar;
  else if (span.step == size) plan.access = SourceAccess::Contiguous;
  else plan.access = SourceAccess::Strided;
  return check_bytes(instruction, place, operand, span.bytes, platform);
}

const char* plan_destination(const Instruction& instruction, Platform platform) {
  const Operand& operand = instruction.destination;
  DestinationPlan& plan = instruction.plan.destination;
  if (operand.file == RegisterFile::Immediate) return "an immediate as destination";
  if (operand.is_null()) return nullptr;
  const unsigned size = size_of(operand.type);
  const unsigned stride = std::max<unsigned>(operand.region.horizontal, 1) * size;
  plan.stride = static_cast<std::uint16_t>(stride);
  if (operand.indirect) {
    plan.indirect = true;
    return check_address_registers(instruction, operand);
  }
  const RegisterPlace place = place_of(operand, platform, grf_bytes_of(platform));
  if (place.problem != nullptr) return place.problem;
  if (place.computed) return "a destination that cannot be written";
  plan.position = place.position;
  plan.effect = place.effect;
  // Only products of integers look at what an accumulator holds above its 32 bits.
  if (plan.effect == DestinationEffect::Accumulator && is_float(operand.type)) {
    plan.effect = DestinationEffect::None;
  }
  const unsigned bytes = (instruction.execution_size - 1) * stride + size;
  return check_bytes(instruction, place, operand, bytes, platform);
}

const char* plan_bytes(const Instruction& instruction, const Operand& operand, unsigned bytes,
                       Platform platform, std::uint32_t& position) {
  if (operand.file != RegisterFile::Grf || operand.indirect) return "a link that is no GRF";
  const RegisterPlace place = place_of(operand, platform, grf_bytes_of(platform));
  if (place.problem != nullptr) return place.problem;
  position = place.position;
  return check_bytes(instruction, place, operand, bytes, platform);
}

}  // namespace xesim::eu
