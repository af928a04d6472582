// The commonest instructions, on whole registers of 32-bit elements and on numbers: lanes lie side by
// side, and nothing but the destination or the flags changes. They do what the general routines do,
// without arrays of lanes in between.
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "eu/execute/host_vectors.hpp"
#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/execute/word_lanes.hpp"
#include "eu/execute/word_operations.hpp"
#include "eu/operands/register_place.hpp"

namespace xesim::eu {

namespace {

using namespace words;

// `kNumber`: for each source, whether it is a number.
template <class T, class Operation, bool... kNumber>
Step compute(ExecutionContext& context, const Instruction& instruction) {
  if constexpr (std::is_floating_point_v<T>) {
    if (context.flush_denormals_f32) return instruction.plan.general(context, instruction);
  }
  Lanes<T> result;
  const auto each = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    const auto blocks = [&](const auto&... source) {
      for_each_block(context.lane_count, [&](unsigned first) {
        Operation::apply(instruction, result.value + first, source.block(first)...);
      });
    };
    blocks(WordSource<T, kNumber>(context, instruction, kIndex)...);
  };
  each(std::make_index_sequence<sizeof...(kNumber)>{});
  write_words(context, instruction, result.value);
  return Step::Next;
}

// The lanes of a block for which a comparison holds.
template <class T, class Holds>
std::uint32_t compare_block(const Block<T>& a, const Block<T>& b, Holds holds) {
  std::uint32_t truth = 0;
  for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
    truth |= holds(a[lane], b[lane]) ? kLaneBits[lane] : 0;
  }
  return truth;
}

template <class T, bool... kNumber>
std::uint32_t compare_sources(const ExecutionContext& context, Condition condition,
                              const WordSource<T, kNumber>&... source) {
  const auto truth = [&](auto holds) {
    std::uint32_t lanes = 0;
    for_each_block(context.lane_count, [&](unsigned first) {
      lanes |= compare_block<T>(source.block(first)..., holds) << first;
    });
    return lanes;
  };
  switch (condition) {
    case Condition::Eq: return truth([](T a, T b) { return a == b; });
    case Condition::Ne: return truth([](T a, T b) { return a != b; });
    case Condition::Gt: return truth([](T a, T b) { return a > b; });
    case Condition::Ge: return truth([](T a, T b) { return a >= b; });
    case Condition::Lt: return truth([](T a, T b) { return a < b; });
    default: return truth([](T a, T b) { return a <= b; });
  }
}

// cmp: the flags, and all ones or zero in each lane of a destination that is not null.
template <class T, bool kFirst, bool kSecond>
Step compare(ExecutionContext& context, const Instruction& instruction) {
  if constexpr (std::is_floating_point_v<T>) {
    if (context.flush_denormals_f32) return instruction.plan.general(context, instruction);
  }
  const std::uint32_t truth = compare_sources<T, kFirst, kSecond>(
      context, instruction.condition, WordSource<T, kFirst>(context, instruction, 0),
      WordSource<T, kSecond>(context, instruction, 1));
  if (!instruction.destination.is_null()) {
    Lanes<std::uint32_t> ones;
    for_each_block(context.lane_count, [&](unsigned first) {
      for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
        ones.value[first + lane] = (truth >> first & kLaneBits[lane]) != 0 ? ~0u : 0;
      }
    });
    write_words(context, instruction, ones.value);
  }
  write_flags(context, instruction, truth);
  return Step::Next;
}

// sel, by predicate (the context's `selected`).
template <class T, bool kFirst, bool kSecond>
Step select(ExecutionContext& context, const Instruction& instruction) {
  if constexpr (std::is_floating_point_v<T>) {
    if (context.flush_denormals_f32) return instruction.plan.general(context, instruction);
  }
  const WordSource<T, kFirst> first_source(context, instruction, 0);
  const WordSource<T, kSecond> second_source(context, instruction, 1);
  Lanes<T> result;
  for_each_block(context.lane_count, [&](unsigned first) {
    const Block<T> a = first_source.block(first);
    const Block<T> b = second_source.block(first);
    const std::uint32_t selected = context.selected >> first;
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      result.value[first + lane] = (selected & kLaneBits[lane]) != 0 ? a[lane] : b[lane];
    }
  });
  write_words(context, instruction, result.value);
  return Step::Next;
}

// addc: the sum, and the carry in acc0.
template <bool kFirst, bool kSecond>
Step add_with_carry(ExecutionContext& context, const Instruction& instruction) {
  const WordSource<std::uint32_t, kFirst> first_source(context, instruction, 0);
  const WordSource<std::uint32_t, kSecond> second_source(context, instruction, 1);
  Lanes<std::uint32_t> sum;
  Lanes<std::uint32_t> carry;
  for_each_block(context.lane_count, [&](unsigned first) {
    const auto a = first_source.block(first);
    const auto b = second_source.block(first);
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      const std::uint32_t total = a[lane] + b[lane];
      sum.value[first + lane] = total;
      carry.value[first + lane] = total < a[lane] ? 1 : 0;
    }
  });
  write_words(context, instruction, sum.value);
  const std::uint32_t start = implicit_accumulator(instruction);
  if (context.lane_count == 1) {
    auto& extension = context.thread.accumulator_extension[start / context.grf_bytes];
    std::memcpy(context.thread.accumulator.data() + start, carry.value, sizeof carry.value[0]);
    extension.high[start % context.grf_bytes / 4] = 0;
    return Step::Next;
  }
  const Block<std::int32_t> nothing{};
  for_each_block(context.lane_count, [&](unsigned first) {
    write_accumulators(context, start, first, carry.value + first, nothing.data());
  });
  return Step::Next;
}

// --- Which of them an instruction can be executed by ---

bool is_number(const Instruction& instruction, unsigned index) {
  const SourceAccess access = instruction.plan.source[index].access;
  return access == SourceAccess::Immediate || access == SourceAccess::Scalar;
}

bool is_integer32(DataType type) { return type == DataType::D || type == DataType::Ud; }

// An integer of at most 32 bits: on whole registers of 32, a narrower one is a number.
bool is_integer_source(const Instruction& instruction, unsigned index) {
  const DataType type = instruction.source[index].type;
  const SourceModifier modifier = instruction.plan.source[index].modifier;
  const bool number = is_number(instruction, index) && !is_float(type) && size_of(type) <= 4 &&
                      !is_packed_vector(type);
  return (number || is_integer32(type)) && modifier != SourceModifier::Absolute &&
         modifier != SourceModifier::NegateAbsolute;
}

bool all_integers(const Instruction& instruction) {
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    if (!is_integer_source(instruction, index)) return false;
  }
  return is_integer32(instruction.destination.type);
}

bool all_floats(const Instruction& instruction) {
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    if (instruction.source[index].type != DataType::F) return false;
  }
  return instruction.destination.type == DataType::F;
}

// Whether every source can be read by a WordSource.
bool has_word_sources(const Instruction& instruction) {
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    const bool whole = instruction.plan.source[index].access == SourceAccess::Contiguous &&
                       size_of(instruction.source[index].type) == 4;
    if (!whole && !is_number(instruction, index)) return false;
  }
  return instruction.source_count > 0;
}

// Whether the number's bits as a 32-bit element mean the same to a comparison of that type.
bool compares_alike(const Instruction& instruction, unsigned index, DataType type) {
  const Operand& operand = instruction.source[index];
  if (is_float(operand.type) || is_packed_vector(operand.type) || size_of(operand.type) > 4 ||
      instruction.plan.source[index].modifier != SourceModifier::None) {
    return false;
  }
  if (type == DataType::D) return operand.type != DataType::Ud;
  const bool is_positive = operand.file == RegisterFile::Immediate &&
                           (operand.immediate >> (8 * size_of(operand.type) - 1) & 1) == 0;
  return is_unsigned_integer(operand.type) || is_positive;
}

// compute() for which of the sources are numbers.
template <class T, class Operation, unsigned kSources, bool... kNumber>
Handler compute_with(const Instruction& instruction) {
  constexpr unsigned kIndex = sizeof...(kNumber);
  if constexpr (kIndex == kSources) {
    return for_host<compute<T, Operation, kNumber...>>();
  } else {
    return is_number(instruction, kIndex)
               ? compute_with<T, Operation, kSources, kNumber..., true>(instruction)
               : compute_with<T, Operation, kSources, kNumber..., false>(instruction);
  }
}

template <class T, class Operation>
Handler binary_with(const Instruction& instruction) {
  return compute_with<T, EachLane<Operation>, 2>(instruction);
}

template <class T, class Operation>
Handler shift_with(const Instruction& instruction) {
  return is_number(instruction, 1) ? compute_with<T, OneCount<Operation>, 2>(instruction)
                                   : compute_with<T, EachLane<Operation>, 2>(instruction);
}

template <class T>
Handler compare_with(const Instruction& instruction) {
  if (is_number(instruction, 0)) {
    return is_number(instruction, 1) ? for_host<compare<T, true, true>>()
                                     : for_host<compare<T, true, false>>();
  }
  return is_number(instruction, 1) ? for_host<compare<T, false, true>>()
                                   : for_host<compare<T, false, false>>();
}

template <class T>
Handler select_with(const Instruction& instruction) {
  if (is_number(instruction, 0)) {
    return is_number(instruction, 1) ? for_host<select<T, true, true>>()
                                     : for_host<select<T, true, false>>();
  }
  return is_number(instruction, 1) ? for_host<select<T, false, true>>()
                                   : for_host<select<T, false, false>>();
}

Handler integer_handler(const Instruction& instruction) {
  const DataType first = instruction.source[0].type;
  switch (instruction.opcode) {
    case Opcode::Mov: return compute_with<std::uint32_t, EachLane<Copy>, 1>(instruction);
    case Opcode::Add: return binary_with<std::uint32_t, Add>(instruction);
    case Opcode::Mul: return binary_with<std::uint32_t, Multiply>(instruction);
    case Opcode::And: return binary_with<std::uint32_t, And>(instruction);
    case Opcode::Or: return binary_with<std::uint32_t, Or>(instruction);
    case Opcode::Xor: return binary_with<std::uint32_t, Xor>(instruction);
    case Opcode::Shl: return shift_with<std::uint32_t, ShiftLeft>(instruction);
    case Opcode::Rol: return shift_with<std::uint32_t, RotateLeft>(instruction);
    case Opcode::Ror: return shift_with<std::uint32_t, RotateRight>(instruction);
    // A narrower number is shifted with the bits that it has.
    case Opcode::Shr:
      return first == DataType::Ud ? shift_with<std::uint32_t, ShiftRight>(instruction) : nullptr;
    case Opcode::Asr:
      return first == DataType::D ? shift_with<std::int32_t, ShiftRight>(instruction) : nullptr;
    case Opcode::Add3: return compute_with<std::uint32_t, EachLane<Add3>, 3>(instruction);
    case Opcode::Mad: return compute_with<std::uint32_t, EachLane<MultiplyAdd>, 3>(instruction);
    case Opcode::Bfn: return compute_with<std::uint32_t, BooleanFunction, 3>(instruction);
    case Opcode::Sel: return select_with<std::uint32_t>(instruction);
    default: return nullptr;
  }
}

Handler float_handler(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Mov: return compute_with<float, EachLane<Copy>, 1>(instruction);
    case Opcode::Add: return binary_with<float, Add>(instruction);
    case Opcode::Mul: return binary_with<float, Multiply>(instruction);
    case Opcode::Mad: return compute_with<float, EachLane<FusedMultiplyAdd>, 3>(instruction);
    case Opcode::Sel: return select_with<float>(instruction);
    default: return nullptr;
  }
}

Handler select_comparing(const Instruction& instruction) {
  const DataType type = instruction.source[0].type;
  if (instruction.condition < Condition::Eq || instruction.condition > Condition::Le) {
    return nullptr;
  }
  if (type == DataType::F) {
    return instruction.source[1].type == DataType::F ? compare_with<float>(instruction) : nullptr;
  }
  if (!is_integer32(type) || !compares_alike(instruction, 0, type) ||
      !compares_alike(instruction, 1, type)) {
    return nullptr;
  }
  return type == DataType::D ? compare_with<std::int32_t>(instruction)
                             : compare_with<std::uint32_t>(instruction);
}

Handler select_carrying(const Instruction& instruction) {
  for (unsigned index = 0; index < 2; ++index) {
    if (instruction.source[index].type != DataType::Ud ||
        instruction.plan.source[index].modifier != SourceModifier::None) {
      return nullptr;
    }
  }
  const bool whole_blocks = implicit_accumulator(instruction) % sizeof(Block<std::uint32_t>) == 0;
  if (instruction.destination.type != DataType::Ud ||
      (instruction.execution_size != 1 && !whole_blocks)) {
    return nullptr;
  }
  if (is_number(instruction, 0)) {
    return is_number(instruction, 1) ? for_host<add_with_carry<true, true>>()
                                     : for_host<add_with_carry<true, false>>();
  }
  return is_number(instruction, 1) ? for_host<add_with_carry<false, true>>()
                                   : for_host<add_with_carry<false, false>>();
}

bool writes_whole_registers(const Instruction& instruction) {
  const DestinationPlan& plan = instruction.plan.destination;
  const Operand& operand = instruction.destination;
  const bool accumulator = operand.file == RegisterFile::Arf && operand.arf == Arf::Accumulator &&
                           plan.effect == DestinationEffect::None;
  return (operand.file == RegisterFile::Grf || accumulator) && !plan.indirect &&
         (plan.stride == 4 || instruction.execution_size == 1) &&
         size_of(instruction.destination.type) == 4;
}

// A move that copies bits, whatever their type.
bool copies(const Instruction& instruction) {
  return instruction.opcode == Opcode::Mov &&
         instruction.source[0].type == instruction.destination.type &&
         instruction.plan.source[0].modifier == SourceModifier::None;
}

}  // namespace

Handler select_on_registers(const Instruction& instruction, Platform platform) {
  if (const Handler product = select_product_on_registers(instruction, platform)) return product;
  const bool carries = instruction.opcode == Opcode::Addc && instruction.accumulator_write;
  const unsigned size = instruction.execution_size;
  if ((size != 1 && size < kLaneBlock) || instruction.saturate ||
      (instruction.accumulator_write && !carries) || !has_word_sources(instruction)) {
    return nullptr;
  }
  const bool whole = writes_whole_registers(instruction);
  if (instruction.opcode == Opcode::Cmp) {
    return whole || instruction.destination.is_null() ? select_comparing(instruction) : nullptr;
  }
  if (instruction.condition != Condition::None || !whole) return nullptr;
  if (carries) return select_carrying(instruction);
  if (copies(instruction)) return compute_with<std::uint32_t, EachLane<Copy>, 1>(instruction);
  if (all_floats(instruction)) return float_handler(instruction);
  return all_integers(instruction) ? integer_handler(instruction) : nullptr;
}

}  // namespace xesim::eu
