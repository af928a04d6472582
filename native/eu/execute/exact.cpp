// Integer operations that 64 bits are too few for: comparisons of unsigned quadwords with signed
// numbers, saturation and overflow of quadwords, and conversions of quadwords to floats. Everything
// is computed in 128 bits; these instructions are rare.
#include <bit>
#include <cmath>
#include <limits>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/operands/lane_conversion.hpp"

namespace xesim::eu {

namespace {

__extension__ using Wide = __int128;

constexpr Wide kWideMaximum = static_cast<Wide>(~static_cast<unsigned __int128>(0) >> 1);
constexpr Wide kWideMinimum = -kWideMaximum - 1;

// The bits of the operand with its sign and modifiers: its loader applies none.
void load_wide(ExecutionContext& context, const Instruction& instruction, unsigned index,
               Lanes<Wide>& lanes) {
  Lanes<std::int64_t> bits;
  load_source(context, instruction, index, bits.value);
  const Operand& operand = instruction.source[index];
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    const std::int64_t value = bits.value[lane];
    Wide wide = operand.type == DataType::Uq ? static_cast<Wide>(static_cast<std::uint64_t>(value))
                                             : static_cast<Wide>(value);
    if (operand.absolute && wide < 0) wide = -wide;
    lanes.value[lane] = operand.negate ? -wide : wide;
  }
}

// Sums and products beyond 128 bits stay on their side of every range.
Wide add(Wide a, Wide b) {
  Wide sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? kWideMinimum : kWideMaximum;
}

Wide multiply(Wide a, Wide b) {
  Wide product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? kWideMinimum : kWideMaximum;
}

struct Copy {
  static Wide apply(const Instruction&, Wide a, Wide, Wide) { return a; }
};
struct Add {
  static Wide apply(const Instruction&, Wide a, Wide b, Wide) { return add(a, b); }
};
struct Add3 {
  static Wide apply(const Instruction&, Wide a, Wide b, Wide c) { return add(add(a, b), c); }
};
struct Multiply {
  static Wide apply(const Instruction&, Wide a, Wide b, Wide) { return multiply(a, b); }
};
struct MultiplyAdd {
  static Wide apply(const Instruction&, Wide a, Wide b, Wide c) { return add(a, multiply(b, c)); }
};
struct Average {
  static Wide apply(const Instruction&, Wide a, Wide b, Wide) { return add(a, b + 1) >> 1; }
};
struct ShiftLeft {
  static Wide apply(const Instruction& instruction, Wide a, Wide b, Wide) {
    const bool quadwords = size_of(instruction.source[0].type) == 8 ||
                           size_of(instruction.destination.type) == 8;
    const auto count = static_cast<unsigned>(b) & (quadwords ? 63u : 31u);
    return multiply(a, Wide{1} << count);
  }
};

struct Range {
  Wide low;
  Wide high;
};

Range range_of(DataType type) {
  const unsigned bits = 8 * size_of(type);
  if (is_signed_integer(type)) return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

// What an element of an integer type keeps of `value`.
Wide wrap(DataType type, Wide value) {
  const unsigned unused = 128 - 8 * size_of(type);
  const auto raised = static_cast<unsigned __int128>(value) << unused;
  return is_signed_integer(type) ? static_cast<Wide>(raised) >> unused
                                 : static_cast<Wide>(raised >> unused);
}

// Flags from what the destination gets; overflow says that it could not hold the result.
template <class Operation>
Step compute(ExecutionContext& context, const Instruction& instruction) {
  Lanes<Wide> operands[3];
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    load_wide(context, instruction, index, operands[index]);
  }
  const DataType type = instruction.destination.type;
  const Range range = range_of(type);
  const unsigned lanes = context.lane_count;
  Lanes<Wide> kept;
  Lanes<std::int64_t> result;
  std::uint32_t overflown = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const Wide second = instruction.source_count > 1 ? operands[1].value[lane] : Wide{0};
    const Wide third = instruction.source_count > 2 ? operands[2].value[lane] : Wide{0};
    const Wide exact = Operation::apply(instruction, operands[0].value[lane], second, third);
    const bool fits = exact >= range.low && exact <= range.high;
    if (!fits) overflown |= 1u << lane;
    if (fits || !instruction.saturate) kept.value[lane] = wrap(type, exact);
    else kept.value[lane] = exact < range.low ? range.low : range.high;
    result.value[lane] = static_cast<std::int64_t>(kept.value[lane]);
  }
  if (!instruction.plan.destination.store(context, instruction, result.value)) {
    return Step::Illegal;
  }
  if (instruction.condition == Condition::Ov) {
    write_flags(context, instruction, overflown);
  } else if (instruction.condition != Condition::None) {
    write_flags(context, instruction,
                compare_lanes<Wide>(instruction.condition, lanes, kept.value, nullptr));
  }
  if (instruction.accumulator_write) store_accumulator(context, instruction, result.value);
  return Step::Next;
}

// The nearest doubles, but odd wherever a value lies between two: to round such a number once more,
// to a narrower type, is to round the integer once.
double rounded_to_odd(Wide value) {
  const bool negative = value < 0;
  auto magnitude = static_cast<unsigned __int128>(negative ? -value : value);
  int exponent = 0;
  bool inexact = false;
  while (magnitude >> 53 != 0) {
    inexact = inexact || (magnitude & 1) != 0;
    magnitude >>= 1;
    ++exponent;
  }
  if (inexact) magnitude |= 1;
  const double result = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(magnitude)),
                                   exponent);
  return negative ? -result : result;
}

// Both summands are exact, and the sum is rounded as the rounding mode says.
double rounded(Wide value) {
  const double high = std::ldexp(static_cast<double>(static_cast<std::int64_t>(value >> 32)), 32);
  return high + static_cast<double>(static_cast<std::uint32_t>(value));
}

Step convert(ExecutionContext& context, const Instruction& instruction) {
  Lanes<Wide> value;
  load_wide(context, instruction, 0, value);
  const bool to_double = instruction.destination.type == DataType::Df;
  Lanes<double> result;
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    result.value[lane] = to_double ? rounded(value.value[lane]) : rounded_to_odd(value.value[lane]);
  }
  return finish(context, instruction, result.value);
}

Step compare(ExecutionContext& context, const Instruction& instruction) {
  Lanes<Wide> a;
  Lanes<Wide> b;
  load_wide(context, instruction, 0, a);
  load_wide(context, instruction, 1, b);
  const unsigned lanes = context.lane_count;
  const std::uint32_t truth =
      compare_lanes<Wide>(instruction.condition, lanes, a.value, b.value);
  return finish_comparison(context, instruction, truth);
}

Step select(ExecutionContext& context, const Instruction& instruction) {
  Lanes<Wide> a;
  Lanes<Wide> b;
  load_wide(context, instruction, 0, a);
  load_wide(context, instruction, 1, b);
  const unsigned lanes = context.lane_count;
  std::uint32_t take_first = context.selected;
  if (instruction.condition != Condition::None) {
    take_first = compare_lanes<Wide>(instruction.condition, lanes, a.value, b.value);
  }
  const DataType type = instruction.destination.type;
  const Range range = range_of(type);
  Lanes<std::int64_t> result;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Wide chosen = (take_first >> lane & 1) != 0 ? a.value[lane] : b.value[lane];
    if (instruction.saturate && chosen < range.low) chosen = range.low;
    if (instruction.saturate && chosen > range.high) chosen = range.high;
    result.value[lane] = static_cast<std::int64_t>(wrap(type, chosen));
  }
  if (!instruction.plan.destination.store(context, instruction, result.value)) {
    return Step::Illegal;
  }
  if (instruction.accumulator_write) store_accumulator(context, instruction, result.value);
  return Step::Next;
}

}  // namespace

Handler select_exact(const Instruction& instruction) {
  const bool to_float = is_float(instruction.destination.type);
  if (instruction.opcode == Opcode::Mov && to_float) return convert;
  if (to_float) return nullptr;
  switch (instruction.opcode) {
    case Opcode::Mov: return compute<Copy>;
    case Opcode::Add: return compute<Add>;
    case Opcode::Add3: return compute<Add3>;
    case Opcode::Mul: return compute<Multiply>;
    case Opcode::Mad: return compute<MultiplyAdd>;
    case Opcode::Avg: return compute<Average>;
    case Opcode::Shl: return compute<ShiftLeft>;
    case Opcode::Cmp: case Opcode::Cmpn: return compare;
    case Opcode::Sel: return select;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
