// Integer arithmetic whose result needs no accumulator, and the carries that go there.
#include <limits>
#include <type_traits>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

template <class T>
using Bits = std::make_unsigned_t<T>;

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Bits<T>>(a) + static_cast<Bits<T>>(b));
  }
};

struct Add3 {
  template <class T>
  static T apply(T a, T b, T c) { return Add::apply(Add::apply(a, b), c); }
};

struct Multiply {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Bits<T>>(a) * static_cast<Bits<T>>(b));
  }
};

// For results that saturate: beyond 64 bits it is enough to stay on the right side.
struct BoundedMultiply {
  template <class T>
  static T apply(T a, T b) {
    T product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) != (b < 0) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
};

struct MultiplyAdd {
  template <class T>
  static T apply(T a, T b, T c) { return Add::apply(a, Multiply::apply(b, c)); }
};

struct BoundedMultiplyAdd {
  template <class T>
  static T apply(T a, T b, T c) {
    const T product = BoundedMultiply::apply(b, c);
    T sum = 0;
    if (!__builtin_add_overflow(a, product, &sum)) return sum;
    return product < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
};

// The carry bit of the sum is not lost: lanes of average are 64 bits wide.
struct Average {
  template <class T>
  static T apply(T a, T b) { return static_cast<T>((Add::apply(a, b) + 1) >> 1); }
};

struct AddCarry {
  static std::int64_t apply(std::int64_t a, std::int64_t b) { return a + b; }
};

struct SubtractBorrow {
  static std::int64_t apply(std::int64_t a, std::int64_t b) { return a - b; }
};

// addc and subb: operands count as 32-bit unsigned (narrower ones are extended by their own type
// first), so bit 32 of the 64-bit result is the carry, and for a difference the borrow.
template <class Operation>
Step with_carry(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int64_t> a;
  Lanes<std::int64_t> b;
  Lanes<std::int64_t> result;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  for_each_lane(context.lane_count, [&](unsigned lane) {
    result.value[lane] = Operation::apply(a.value[lane] & 0xFFFFFFFF, b.value[lane] & 0xFFFFFFFF);
  });
  if (!instruction.plan.destination.store(context, instruction, result.value)) {
    return Step::Illegal;
  }
  if (instruction.condition != Condition::None) {
    write_condition(context, instruction, result.value);
  }
  for (std::int64_t& value : result.value) value = value >> 32 & 1;
  store_accumulator(context, instruction, result.value);
  return Step::Next;
}

// src0 plus the dot product of four bytes of src1 and src2, each by its own type.
Step dot_product_of_bytes(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int64_t> a;
  Lanes<std::int64_t> b;
  Lanes<std::int64_t> c;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  load_source(context, instruction, 2, c.value);
  const auto byte = [](std::int64_t value, unsigned index, DataType type) {
    const auto bits = static_cast<std::uint8_t>(value >> (8 * index));
    return type == DataType::D ? static_cast<int>(static_cast<std::int8_t>(bits)) : bits;
  };
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    for (unsigned index = 0; index < 4; ++index) {
      a.value[lane] += byte(b.value[lane], index, instruction.source[1].type) *
                       byte(c.value[lane], index, instruction.source[2].type);
    }
  }
  return finish(context, instruction, a.value);
}

// One operand may be a word: the older compiler adds signed word offsets to 64-bit addresses so.
bool carries_dwords(const Instruction& instruction) {
  const auto fits = [](DataType type) {
    return type == DataType::Ud || type == DataType::Uw || type == DataType::W;
  };
  return fits(instruction.source[0].type) && fits(instruction.source[1].type) &&
         instruction.destination.type == DataType::Ud && !instruction.saturate;
}

}  // namespace

Handler select_integer(const Instruction& instruction, LaneType lanes) {
  const bool bounded = instruction.saturate;
  switch (instruction.opcode) {
    case Opcode::Add: return integer_binary<Add>(lanes);
    case Opcode::Add3: return integer_ternary<Add3>(lanes);
    case Opcode::Mul: return bounded ? binary<std::int64_t, BoundedMultiply>
                                     : integer_binary<Multiply>(lanes);
    case Opcode::Mad: return bounded ? ternary<std::int64_t, BoundedMultiplyAdd>
                                     : integer_ternary<MultiplyAdd>(lanes);
    case Opcode::Avg: return binary<std::int64_t, Average>;
    case Opcode::Addc: return carries_dwords(instruction) ? with_carry<AddCarry> : nullptr;
    case Opcode::Subb:
      return carries_dwords(instruction) ? with_carry<SubtractBorrow> : nullptr;
    case Opcode::Dp4a: return dot_product_of_bytes;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
