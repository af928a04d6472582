// The commonest instructions of code that was not optimised, on whole registers of 32-bit elements:
// lanes lie side by side, and nothing but the destination or the flags changes. They do what the
// general routines do, without arrays of lanes in between.
#include <array>
#include <cstring>
#include <type_traits>

#include "eu/arithmetic/bitwise.hpp"
#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/operands/load.hpp"

namespace xesim::eu {

namespace {

struct Add {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct Multiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
struct ShiftLeft {
  template <class T>
  static T apply(T a, T b) { return a << (b & 31); }
};
struct ShiftRight {
  template <class T>
  static T apply(T a, T b) { return a >> (b & 31); }
};

template <class T>
using Block = std::array<T, kLaneBlock>;

// Calls `action` with the first lane of each block; there is at least one.
template <class Action>
void for_each_block(unsigned lanes, Action action) {
  unsigned first = 0;
  do {
    action(first);
    first += kLaneBlock;
  } while (first < lanes);
}

template <class T>
Block<T> read_block(const ExecutionContext& context, const SourcePlan& plan, unsigned first) {
  Block<T> block;
  std::memcpy(block.data(),
              reinterpret_cast<const std::byte*>(&context.thread) + plan.position +
                  first * sizeof(T),
              sizeof block);
  return block;
}

// The second source: a block of a register, or one number for all lanes.
template <class T, bool kScalar>
class Second {
 public:
  Second(ExecutionContext& context, const Instruction& instruction)
      : context_(context), plan_(instruction.plan.source[1]) {
    if constexpr (kScalar) {
      T value{};
      plan_.load(context, instruction.source[1], plan_, 1, &value);
      scalar_.fill(value);
    }
  }

  [[nodiscard]] Block<T> block(unsigned first) const {
    return kScalar ? scalar_ : read_block<T>(context_, plan_, first);
  }

 private:
  const ExecutionContext& context_;
  const SourcePlan& plan_;
  Block<T> scalar_{};
};

template <class T>
void write_lanes(ExecutionContext& context, const Instruction& instruction, const T* result) {
  std::byte* const out = context.bytes() + instruction.plan.destination.position;
  const unsigned lanes = instruction.execution_size;
  if (context.lanes == lane_mask(lanes)) {
    for_each_block(lanes, [&](unsigned first) {
      std::memcpy(out + first * sizeof(T), result + first, sizeof(Block<T>));
    });
    return;
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((context.lanes >> lane & 1) != 0) {
      std::memcpy(out + lane * sizeof(T), result + lane, sizeof(T));
    }
  }
}

template <class T, class Operation, bool kScalar>
Step compute(ExecutionContext& context, const Instruction& instruction) {
  if constexpr (std::is_floating_point_v<T>) {
    if (context.flush_denormals_f32) return binary<T, Operation>(context, instruction);
  }
  const Second<T, kScalar> second(context, instruction);
  Lanes<T> result;
  for_each_block(instruction.execution_size, [&](unsigned first) {
    const Block<T> a = read_block<T>(context, instruction.plan.source[0], first);
    const Block<T> b = second.block(first);
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      result.value[first + lane] = Operation::template apply<T>(a[lane], b[lane]);
    }
  });
  write_lanes(context, instruction, result.value);
  return Step::Next;
}

Step copy(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::uint32_t> value;
  for_each_block(instruction.execution_size, [&](unsigned first) {
    const auto block = read_block<std::uint32_t>(context, instruction.plan.source[0], first);
    std::memcpy(value.value + first, block.data(), sizeof block);
  });
  write_lanes(context, instruction, value.value);
  return Step::Next;
}

// A comparison that sets flags only.
template <class T, bool kScalar, class Holds>
std::uint32_t compare_blocks(const ExecutionContext& context, const Instruction& instruction,
                             const Second<T, kScalar>& second, Holds holds) {
  std::uint32_t truth = 0;
  for_each_block(instruction.execution_size, [&](unsigned first) {
    const Block<T> a = read_block<T>(context, instruction.plan.source[0], first);
    const Block<T> b = second.block(first);
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      truth |= static_cast<std::uint32_t>(holds(a[lane], b[lane])) << (first + lane);
    }
  });
  return truth;
}

template <class T, bool kScalar>
Step compare(ExecutionContext& context, const Instruction& instruction) {
  const Second<T, kScalar> second(context, instruction);
  const auto truth = [&](auto holds) {
    return compare_blocks<T, kScalar>(context, instruction, second, holds);
  };
  std::uint32_t flags = 0;
  switch (instruction.condition) {
    case Condition::Eq: flags = truth([](T a, T b) { return a == b; }); break;
    case Condition::Ne: flags = truth([](T a, T b) { return a != b; }); break;
    case Condition::Gt: flags = truth([](T a, T b) { return a > b; }); break;
    case Condition::Ge: flags = truth([](T a, T b) { return a >= b; }); break;
    case Condition::Lt: flags = truth([](T a, T b) { return a < b; }); break;
    default: flags = truth([](T a, T b) { return a <= b; }); break;
  }
  write_flags(context, instruction, flags);
  return Step::Next;
}

// addc: the sum, and the carry in acc0.
template <bool kScalar>
Step add_with_carry(ExecutionContext& context, const Instruction& instruction) {
  const Second<std::uint32_t, kScalar> second(context, instruction);
  Lanes<std::uint32_t> sum;
  Lanes<std::uint32_t> carry;
  const unsigned lanes = instruction.execution_size;
  for_each_block(lanes, [&](unsigned first) {
    const auto a = read_block<std::uint32_t>(context, instruction.plan.source[0], first);
    const auto b = second.block(first);
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      const std::uint32_t total = a[lane] + b[lane];
      sum.value[first + lane] = total;
      carry.value[first + lane] = total < a[lane] ? 1 : 0;
    }
  });
  write_lanes(context, instruction, sum.value);
  const unsigned per_register = context.grf_bytes / 4;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((context.lanes >> lane & 1) == 0) continue;
    std::memcpy(context.thread.accumulator.data() + lane * 4, &carry.value[lane], 4);
    context.thread.accumulator_extension[lane / per_register].high[lane % per_register] = 0;
  }
  return Step::Next;
}

bool is_plain(const Instruction& instruction, unsigned index) {
  return instruction.plan.source[index].modifier == SourceModifier::None;
}

bool is_whole(const Instruction& instruction, unsigned index) {
  return is_plain(instruction, index) && size_of(instruction.source[index].type) == 4 &&
         instruction.plan.source[index].access == SourceAccess::Contiguous;
}

bool is_one_number(const Instruction& instruction, unsigned index) {
  const SourceAccess access = instruction.plan.source[index].access;
  return is_plain(instruction, index) &&
         (access == SourceAccess::Immediate || access == SourceAccess::Scalar);
}

bool is_integer32(DataType type) { return type == DataType::D || type == DataType::Ud; }

// Whether the number's bits as a 32-bit element mean the same to a comparison of that type.
bool compares_alike(const Operand& operand, DataType type) {
  if (is_float(operand.type) || is_packed_vector(operand.type)) return false;
  if (type == DataType::D) return operand.type != DataType::Ud && size_of(operand.type) <= 4;
  const bool is_positive = operand.file == RegisterFile::Immediate &&
                           (operand.immediate >> (8 * size_of(operand.type) - 1) & 1) == 0;
  return (is_unsigned_integer(operand.type) || is_positive) && size_of(operand.type) <= 4;
}

template <class T, class Operation>
Handler compute_with(bool scalar) {
  return scalar ? compute<T, Operation, true> : compute<T, Operation, false>;
}

template <class T>
Handler compare_with(bool scalar) {
  return scalar ? compare<T, true> : compare<T, false>;
}

Handler integer_handler(Opcode opcode, bool is_unsigned, bool scalar) {
  switch (opcode) {
    case Opcode::Add: return compute_with<std::uint32_t, Add>(scalar);
    case Opcode::And: return compute_with<std::uint32_t, And>(scalar);
    case Opcode::Or: return compute_with<std::uint32_t, Or>(scalar);
    case Opcode::Xor: return compute_with<std::uint32_t, Xor>(scalar);
    case Opcode::Shl: return compute_with<std::uint32_t, ShiftLeft>(scalar);
    case Opcode::Shr:
      return is_unsigned ? compute_with<std::uint32_t, ShiftRight>(scalar) : nullptr;
    case Opcode::Asr:
      return is_unsigned ? nullptr : compute_with<std::int32_t, ShiftRight>(scalar);
    default: return nullptr;
  }
}

Handler select_binary(const Instruction& instruction, bool scalar) {
  const DataType into = instruction.destination.type;
  const DataType first = instruction.source[0].type;
  const DataType second = instruction.source[1].type;
  if (first == DataType::F && second == DataType::F && into == DataType::F) {
    if (instruction.opcode == Opcode::Add) return compute_with<float, Add>(scalar);
    if (instruction.opcode == Opcode::Mul) return compute_with<float, Multiply>(scalar);
    return nullptr;
  }
  const bool integers = is_integer32(into) && is_integer32(first) && !is_float(second) &&
                        size_of(second) <= 4 && !is_packed_vector(second);
  return integers
             ? integer_handler(instruction.opcode, first == DataType::Ud, scalar)
             : nullptr;
}

Handler select_comparing(const Instruction& instruction, bool scalar) {
  const DataType type = instruction.source[0].type;
  const bool ordered =
      instruction.condition >= Condition::Eq && instruction.condition <= Condition::Le;
  if (!instruction.destination.is_null() || !ordered ||
      !compares_alike(instruction.source[1], type)) {
    return nullptr;
  }
  switch (type) {
    case DataType::D: return compare_with<std::int32_t>(scalar);
    case DataType::Ud: return compare_with<std::uint32_t>(scalar);
    default: return nullptr;
  }
}

bool writes_whole_registers(const Instruction& instruction) {
  const DestinationPlan& plan = instruction.plan.destination;
  return instruction.destination.file == RegisterFile::Grf && !plan.indirect && plan.stride == 4 &&
         size_of(instruction.destination.type) == 4;
}

}  // namespace

Handler select_on_registers(const Instruction& instruction) {
  const bool carries = instruction.opcode == Opcode::Addc && instruction.accumulator_write;
  if (instruction.execution_size < kLaneBlock || instruction.saturate ||
      (instruction.accumulator_write && !carries) || !is_whole(instruction, 0)) {
    return nullptr;
  }
  const bool scalar = instruction.source_count == 2 && is_one_number(instruction, 1);
  if (instruction.source_count == 2 && !scalar && !is_whole(instruction, 1)) return nullptr;
  if (instruction.opcode == Opcode::Cmp) return select_comparing(instruction, scalar);
  if (instruction.condition != Condition::None || !writes_whole_registers(instruction)) {
    return nullptr;
  }
  const DataType into = instruction.destination.type;
  const DataType from = instruction.source[0].type;
  if (instruction.opcode == Opcode::Mov) {
    return into == from || (is_integer32(into) && is_integer32(from)) ? copy : nullptr;
  }
  if (carries) {
    const bool dwords = into == DataType::Ud && from == DataType::Ud &&
                        instruction.source[1].type == DataType::Ud;
    if (!dwords) return nullptr;
    return scalar ? add_with_carry<true> : add_with_carry<false>;
  }
  return instruction.source_count == 2 ? select_binary(instruction, scalar) : nullptr;
}

}  // namespace xesim::eu
