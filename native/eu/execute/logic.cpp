// Bitwise logic, shifts and rotations.
#include <type_traits>

#include "eu/arithmetic/bitwise.hpp"
#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

template <class T>
using Bits = std::make_unsigned_t<T>;

struct Not {
  template <class T>
  static T apply(T a) { return ~a; }
};

bool is_quadword(const Instruction& instruction) {
  return size_of(instruction.source[0].type) == 8 || size_of(instruction.destination.type) == 8;
}

// Shift counts are five bits, six for 64-bit operations.
unsigned count_mask(const Instruction& instruction) { return is_quadword(instruction) ? 63 : 31; }

template <class T, class Operation>
Step shift(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> value;
  Lanes<T> count;
  Lanes<T> result;
  load_source(context, instruction, 0, value.value);
  load_source(context, instruction, 1, count.value);
  const T mask = static_cast<T>(count_mask(instruction));
  for_each_lane(context.lane_count, [&](unsigned lane) {
    result.value[lane] = Operation::template apply<T>(
        value.value[lane], static_cast<unsigned>(count.value[lane] & mask));
  });
  return finish(context, instruction, result.value);
}

struct ShiftLeft {
  template <class T>
  static T apply(T value, unsigned count) {
    return static_cast<T>(static_cast<Bits<T>>(value) << count);
  }
};

// Lanes hold the source sign-extended if its type is signed, so this one fits all types.
struct ShiftRightArithmetic {
  template <class T>
  static T apply(T value, unsigned count) { return value >> count; }
};

// A logical shift sees only as many bits as the source has.
template <class Element>
struct ShiftRightLogical {
  template <class T>
  static T apply(T value, unsigned count) {
    const auto bits = static_cast<Element>(value);
    return count >= 8 * sizeof(Element) ? T{0} : static_cast<T>(bits >> count);
  }
};

template <class Element>
struct RotateLeft {
  template <class T>
  static T apply(T value, unsigned count) {
    constexpr unsigned kWidth = 8 * sizeof(Element);
    const auto bits = static_cast<Element>(value);
    const unsigned places = count % kWidth;
    if (places == 0) return static_cast<T>(bits);
    return static_cast<T>(static_cast<Element>(bits << places | bits >> (kWidth - places)));
  }
};

template <class Element>
struct RotateRight {
  template <class T>
  static T apply(T value, unsigned count) {
    constexpr unsigned kWidth = 8 * sizeof(Element);
    return RotateLeft<Element>::apply(value, kWidth - count % kWidth);
  }
};

template <class Operation>
Handler shift_of(LaneType lanes) {
  return lanes == LaneType::Int32 ? shift<std::int32_t, Operation>
                                  : shift<std::int64_t, Operation>;
}

template <template <class> class Operation>
Handler sized_shift(DataType type, LaneType lanes) {
  switch (size_of(type)) {
    case 1: return shift_of<Operation<std::uint8_t>>(lanes);
    case 2: return shift_of<Operation<std::uint16_t>>(lanes);
    case 4: return shift_of<Operation<std::uint32_t>>(lanes);
    default: return lanes == LaneType::Int64 ? shift<std::int64_t, Operation<std::uint64_t>>
                                             : nullptr;
  }
}

// Any function of three bits: the truth table is indexed by src2, src1, src0 from its high bit.
template <class T>
Step boolean_function(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> b;
  Lanes<T> c;
  Lanes<T> result;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  load_source(context, instruction, 2, c.value);
  T rows[8];
  for (unsigned row = 0; row < 8; ++row) {
    rows[row] = (instruction.boolean_function >> row & 1) != 0 ? static_cast<T>(-1) : T{0};
  }
  for_each_lane(context.lane_count, [&](unsigned lane) {
    const T x = a.value[lane];
    const T y = b.value[lane];
    const T z = c.value[lane];
    result.value[lane] = (rows[0] & ~z & ~y & ~x) | (rows[1] & ~z & ~y & x) |
                         (rows[2] & ~z & y & ~x) | (rows[3] & ~z & y & x) |
                         (rows[4] & z & ~y & ~x) | (rows[5] & z & ~y & x) |
                         (rows[6] & z & y & ~x) | (rows[7] & z & y & x);
  });
  return finish(context, instruction, result.value);
}

}  // namespace

Handler select_logic(const Instruction& instruction, LaneType lanes) {
  switch (instruction.opcode) {
    case Opcode::And: return integer_binary<And>(lanes);
    case Opcode::Or: return integer_binary<Or>(lanes);
    case Opcode::Xor: return integer_binary<Xor>(lanes);
    case Opcode::Not: return integer_unary<Not>(lanes);
    case Opcode::Bfn:
      return lanes == LaneType::Int32 ? boolean_function<std::int32_t>
                                      : boolean_function<std::int64_t>;
    case Opcode::Shl: return shift_of<ShiftLeft>(lanes);
    case Opcode::Shr: return sized_shift<ShiftRightLogical>(instruction.source[0].type, lanes);
    case Opcode::Asr:
      return is_unsigned_integer(instruction.source[0].type)
                 ? sized_shift<ShiftRightLogical>(instruction.source[0].type, lanes)
                 : shift_of<ShiftRightArithmetic>(lanes);
    case Opcode::Rol: return sized_shift<RotateLeft>(instruction.destination.type, lanes);
    case Opcode::Ror: return sized_shift<RotateRight>(instruction.destination.type, lanes);
    default: return nullptr;
  }
}

}  // namespace xesim::eu
