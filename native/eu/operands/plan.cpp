#include "eu/operands/plan.hpp"

#include <algorithm>
#include <cstddef>

#include "eu/operands/register_place.hpp"
#include "eu/thread/thread_state.hpp"

namespace xesim::eu {

namespace {

constexpr unsigned kAddressRegisters = 16;
constexpr unsigned kSmallGrfCount = 128;
constexpr unsigned kSmallAccumulators = 4;  // of a thread with 128 general registers; else 8

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
    const auto registers = static_cast<std::uint16_t>(last / grf_bytes(platform) + 1);
    instruction.plan.registers = std::max(instruction.plan.registers, registers);
  }
  if (operand.file == RegisterFile::Arf && operand.arf == Arf::Accumulator) {
    // The upper accumulators come with the upper half of the general registers.
    const std::size_t end = place.position + bytes - offsetof(ThreadState, accumulator);
    if (end > kSmallAccumulators * grf_bytes(platform)) {
      instruction.plan.registers = std::max<std::uint16_t>(instruction.plan.registers,
                                                           kSmallGrfCount + 1);
    }
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

// Elements of a packed vector from lane to lane. A lane takes the element that lies where the lane's
// result does, were the vector unpacked to words (floats: to double words): with a double word
// destination every other nibble counts, which is how compilers write such vectors.
std::uint16_t packed_step(const Instruction& instruction, DataType type) {
  const Operand& destination = instruction.destination;
  const unsigned stride =
      std::max<unsigned>(destination.region.horizontal, 1) * size_of(destination.type);
  const unsigned element = type == DataType::Vf ? 4 : 2;
  return static_cast<std::uint16_t>(std::max(stride / element, 1U));
}

SourceModifier modifier_of(const Instruction& instruction, const Operand& operand) {
  switch (instruction.opcode) {
    case Opcode::And: case Opcode::Or: case Opcode::Xor: case Opcode::Not:
      return operand.negate ? SourceModifier::Complement : SourceModifier::None;
    default: break;
  }
  // Lanes of 32 bits would take the upper half of the unsigned numbers for negative ones.
  if (operand.absolute && !is_unsigned_integer(operand.type)) {
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
    plan.access = SourceAccess::Immediate;
    plan.stride = static_cast<std::uint16_t>(size_of(operand.type));
    if (is_packed_vector(operand.type)) {
      plan.access = SourceAccess::PackedImmediate;
      plan.stride = packed_step(instruction, operand.type);
    }
    return nullptr;
  }
  const unsigned size = size_of(operand.type);
  if (is_packed_vector(operand.type)) return "a packed vector that is no immediate";
  if (operand.region.width == 0) return "a region without width";
  if (operand.indirect) {
    plan.access = SourceAccess::Indirect;
    return check_address_registers(instruction, operand);
  }
  const RegisterPlace place = place_of(operand, platform);
  if (place.problem != nullptr) return place.problem;
  if (place.computed) {
    plan.access = SourceAccess::Computed;
    return nullptr;
  }
  const Span span = span_of(operand.region, instruction.execution_size, size);
  plan.position = place.position;
  plan.stride = static_cast<std::uint16_t>(span.step);
  if (!span.regular) plan.access = SourceAccess::Region;
  else if (span.step == 0) {
    plan.access = SourceAccess::Scalar;
    plan.stride = static_cast<std::uint16_t>(size);
  }
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
  const RegisterPlace place = place_of(operand, platform);
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
  if (operand.file != RegisterFile::Grf || operand.indirect) return "an operand that has to be a general register";
  const RegisterPlace place = place_of(operand, platform);
  if (place.problem != nullptr) return place.problem;
  position = place.position;
  return check_bytes(instruction, place, operand, bytes, platform);
}

}  // namespace xesim::eu
