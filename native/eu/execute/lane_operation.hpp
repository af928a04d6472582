// The shape that most instructions share: read sources into lanes, compute every lane, set flags,
// write the destination. An operation supplies only what happens in a lane:
//
//   struct Add { template <class T> static T apply(T a, T b); };
//
// All lanes are computed, enabled or not, since that is what the host can vectorise; the masks
// decide at the write.
#pragma once

#include "eu/operands/lane_block.hpp"
#include "eu/operands/predication.hpp"
#include "eu/operands/store.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

template <class T>
struct Lanes {
  alignas(64) T value[kMaxLanes];
};

template <class T>
inline void load_source(ExecutionContext& context, const Instruction& instruction, unsigned index,
                        T* lanes) {
  const SourcePlan& plan = instruction.plan.source[index];
  plan.load(context, instruction.source[index], plan, context.lane_count, lanes);
}

// Sets the flags by what the destination will hold: the result after saturation and conversion.
template <class T>
inline void write_condition(ExecutionContext& context, const Instruction& instruction,
                            const T* result) {
  Lanes<std::int64_t> wide;
  Lanes<T> narrow;
  const DataType type = instruction.destination.type;
  const unsigned lanes = context.lane_count;
  if (std::is_same_v<T, std::int64_t> && type == DataType::Uq) {
    Lanes<std::uint64_t> bits;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      bits.value[lane] = static_cast<std::uint64_t>(result[lane]);
    }
    write_flags(context, instruction,
                compare_lanes<std::uint64_t>(instruction.condition, lanes, bits.value, nullptr));
    return;
  }
  if (std::is_same_v<T, std::int32_t> && type == DataType::Ud) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      wide.value[lane] = static_cast<std::uint32_t>(result[lane]);
    }
    write_flags(context, instruction,
                compare_lanes<std::int64_t>(instruction.condition, lanes, wide.value, nullptr));
    return;
  }
  if (std::is_integral_v<T> && is_float(type)) {  // which may make an infinity of an integer
    Lanes<double> numbers;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      numbers.value[lane] = static_cast<double>(result[lane]);
    }
    narrow_lanes(context, type, instruction.saturate, numbers.value);
    write_flags(context, instruction,
                compare_lanes<double>(instruction.condition, lanes, numbers.value, nullptr));
    return;
  }
  for (unsigned lane = 0; lane < lanes; ++lane) narrow.value[lane] = result[lane];
  narrow_lanes(context, type, instruction.saturate, narrow.value);
  write_flags(context, instruction,
              compare_lanes<T>(instruction.condition, lanes, narrow.value, nullptr));
}

// Writes flags, destination and, with AccWrEn, acc0.
template <class T>
[[nodiscard]] inline Step finish(ExecutionContext& context, const Instruction& instruction,
                                 const T* result) {
  if (!instruction.plan.destination.store(context, instruction, result)) return Step::Illegal;
  if (instruction.condition != Condition::None) write_condition(context, instruction, result);
  if (instruction.accumulator_write) store_accumulator(context, instruction, result);
  return Step::Next;
}

// A comparison sets flags; a destination that is not null gets all ones or zero in each lane.
[[nodiscard]] Step finish_comparison(ExecutionContext& context, const Instruction& instruction,
                                     std::uint32_t truth);

template <class T, class Operation>
Step unary(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> result;
  load_source(context, instruction, 0, a.value);
  for_each_lane(context.lane_count, [&](unsigned lane) {
    result.value[lane] = Operation::template apply<T>(a.value[lane]);
  });
  return finish(context, instruction, result.value);
}

template <class T, class Operation>
Step binary(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> b;
  Lanes<T> result;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  for_each_lane(context.lane_count, [&](unsigned lane) {
    result.value[lane] = Operation::template apply<T>(a.value[lane], b.value[lane]);
  });
  return finish(context, instruction, result.value);
}

template <class T, class Operation>
Step ternary(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> b;
  Lanes<T> c;
  Lanes<T> result;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  load_source(context, instruction, 2, c.value);
  for_each_lane(context.lane_count, [&](unsigned lane) {
    result.value[lane] =
        Operation::template apply<T>(a.value[lane], b.value[lane], c.value[lane]);
  });
  return finish(context, instruction, result.value);
}

// The handler of an operation on integers for the lane type that the instruction needs.
template <class Operation>
[[nodiscard]] inline Handler integer_unary(LaneType type) {
  return type == LaneType::Int32 ? unary<std::int32_t, Operation> : unary<std::int64_t, Operation>;
}

template <class Operation>
[[nodiscard]] inline Handler integer_binary(LaneType type) {
  return type == LaneType::Int32 ? binary<std::int32_t, Operation>
                                 : binary<std::int64_t, Operation>;
}

template <class Operation>
[[nodiscard]] inline Handler integer_ternary(LaneType type) {
  return type == LaneType::Int32 ? ternary<std::int32_t, Operation>
                                 : ternary<std::int64_t, Operation>;
}

}  // namespace xesim::eu
