// Floating-point arithmetic. Sums and products are rounded once each; mad and mac are fused.
// So is madm, which refines what math.invm and math.rsqtm begin. Those deliver final results here,
// so that the extra bits of its operands in mme registers are always zero.
#include <cmath>
#include <cstring>

#include "eu/execute/host_vectors.hpp"
#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/execute/word_operations.hpp"
#include "eu/operands/lane_conversion.hpp"
#include "eu/operands/register_place.hpp"

namespace xesim::eu {

namespace {

// Always below one, even where the difference would be rounded up to it in the destination, and no
// negative zero. `kPrecision`: bits of the destination's significand.
template <int kPrecision>
struct Fraction {
  template <class T>
  static T apply(T a) {
    const T rest = a - std::floor(a);
    if (rest == T{0}) return T{0};
    const T largest = T{1} - std::ldexp(T{1}, -kPrecision);
    return rest > largest ? largest : rest;
  }
};

struct RoundDown {
  template <class T>
  static T apply(T a) { return std::floor(a); }
};

struct RoundUp {
  template <class T>
  static T apply(T a) { return std::ceil(a); }
};

struct RoundToZero {
  template <class T>
  static T apply(T a) { return std::trunc(a); }
};

// Ties to even, whatever the rounding mode of the thread.
struct RoundToEven {
  template <class T>
  static T apply(T a) {
    const T below = std::floor(a);
    const T rest = a - below;
    const bool odd = std::fmod(below, T{2}) != 0;
    if (!(rest >= T{0.5})) return std::isnan(a) ? a : std::copysign(below, a);
    const T rounded = rest > T{0.5} || odd ? below + 1 : below;
    return std::copysign(rounded, a);
  }
};

// mac: the addends are the elements of acc0, of the destination's type.
template <class T, class Element>
Step multiply_accumulate(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> addend;
  Lanes<T> a;
  Lanes<T> b;
  Lanes<T> result;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    Element element;
    std::memcpy(&element,
                context.thread.accumulator.data() + implicit_accumulator(instruction) +
                    lane * sizeof element,
                sizeof element);
    addend.value[lane] = widen<T>(element);
  }
  for_each_lane(context.lane_count, [&](unsigned lane) {
    result.value[lane] = std::fma(a.value[lane], b.value[lane], addend.value[lane]);
  });
  return finish(context, instruction, result.value);
}

Handler select_accumulation(DataType type, LaneType lanes) {
  const bool wide = lanes == LaneType::Float64;
  switch (type) {
    case DataType::Hf: return wide ? for_host<multiply_accumulate<double, Half>>() : nullptr;
    case DataType::Bf:
      return wide ? for_host<multiply_accumulate<double, BFloat>>()
                  : for_host<multiply_accumulate<float, BFloat>>();
    case DataType::F:
      return wide ? for_host<multiply_accumulate<double, float>>()
                  : for_host<multiply_accumulate<float, float>>();
    case DataType::Df: return wide ? for_host<multiply_accumulate<double, double>>() : nullptr;
    default: return nullptr;
  }
}

template <class T>
Handler select_fraction(DataType type) {
  switch (type) {
    case DataType::Hf: return unary<T, Fraction<11>>;
    case DataType::F: return unary<T, Fraction<24>>;
    case DataType::Df: return unary<T, Fraction<53>>;
    default: return nullptr;
  }
}

template <class T>
Handler select_for(Opcode opcode) {
  switch (opcode) {
    case Opcode::Add: return for_host<binary<T, words::Add>>();
    case Opcode::Mul: return for_host<binary<T, words::Multiply>>();
    case Opcode::Mad: case Opcode::Madm: return for_host<ternary<T, words::FusedMultiplyAdd>>();
    case Opcode::Rndd: return unary<T, RoundDown>;
    case Opcode::Rndu: return unary<T, RoundUp>;
    case Opcode::Rndz: return unary<T, RoundToZero>;
    case Opcode::Rnde: return unary<T, RoundToEven>;
    default: return nullptr;
  }
}

}  // namespace

Handler select_float(const Instruction& instruction, LaneType lanes) {
  if (instruction.opcode == Opcode::Mac) {
    return select_accumulation(instruction.destination.type, lanes);
  }
  if (instruction.opcode == Opcode::Frc) {
    return lanes == LaneType::Float64 ? select_fraction<double>(instruction.destination.type)
                                      : select_fraction<float>(instruction.destination.type);
  }
  return lanes == LaneType::Float64 ? select_for<double>(instruction.opcode)
                                    : select_for<float>(instruction.opcode);
}

}  // namespace xesim::eu
