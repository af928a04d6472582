// Comparisons and selections.
#include <cmath>
#include <type_traits>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

// Which lanes hold no number.
template <class T>
std::uint32_t nan_lanes(unsigned lanes, const T* values) {
  std::uint32_t nan = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (std::isnan(values[lane])) nan |= 1u << lane;
  }
  return nan;
}

// cmpn differs from cmp where src1 is not a number: every condition then holds but `ne`, which does
// not ("cmpn - Compare NaN" in Intel's reference manuals).
template <class T, bool kNanHolds>
Step compare(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> b;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  const unsigned lanes = context.lane_count;
  std::uint32_t truth = compare_lanes<T>(instruction.condition, lanes, a.value, b.value);
  if constexpr (kNanHolds && std::is_floating_point_v<T>) {
    const std::uint32_t nan = nan_lanes(lanes, b.value);
    truth = instruction.condition == Condition::Ne ? truth & ~nan : truth | nan;
  }
  return finish_comparison(context, instruction, truth);
}

template <class T>
Step store_selection(ExecutionContext& context, const Instruction& instruction,
                     std::uint32_t take_first, T* first, const T* second) {
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    if ((take_first >> lane & 1) == 0) first[lane] = second[lane];
  }
  if (!instruction.plan.destination.store(context, instruction, first)) return Step::Illegal;
  if (instruction.accumulator_write) store_accumulator(context, instruction, first);
  return Step::Next;
}

// By predicate, or with a condition the smaller or larger: for `lt` and `ge`, minimum and maximum, a
// NaN loses against a number. For others src1 is taken if either is a NaN, for `ne` too ("sel - Select"
// in Intel's reference manuals): compilers make `gt` of a > b ? a : b.
template <class T>
Step select(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> b;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  const unsigned lanes = context.lane_count;
  std::uint32_t take_first = context.selected;
  if (instruction.condition != Condition::None) {
    take_first = compare_lanes<T>(instruction.condition, lanes, a.value, b.value);
    if constexpr (std::is_floating_point_v<T>) {
      if (instruction.condition == Condition::Lt || instruction.condition == Condition::Ge) {
        take_first |= nan_lanes(lanes, b.value);
      } else if (instruction.condition == Condition::Ne) {
        take_first &= ~(nan_lanes(lanes, a.value) | nan_lanes(lanes, b.value));
      }
    }
  }
  return store_selection(context, instruction, take_first, a.value, b.value);
}

// src0 where src2 satisfies the condition against zero, else src1. Without a condition it selects
// a register from itself (prepare() admits no other): nothing to do.
template <class T>
Step conditional_select(ExecutionContext& context, const Instruction& instruction) {
  if (instruction.condition == Condition::None) return Step::Next;
  Lanes<T> a;
  Lanes<T> b;
  Lanes<T> c;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  load_source(context, instruction, 2, c.value);
  const std::uint32_t take_first = compare_lanes<T>(
      instruction.condition, context.lane_count, c.value, nullptr);
  return store_selection(context, instruction, take_first, a.value, b.value);
}

template <class T>
Handler select_for(Opcode opcode) {
  switch (opcode) {
    case Opcode::Cmp: return compare<T, false>;
    case Opcode::Cmpn: return compare<T, true>;
    case Opcode::Sel: return select<T>;
    case Opcode::Csel: return conditional_select<T>;
    default: return nullptr;
  }
}

}  // namespace

Step finish_comparison(ExecutionContext& context, const Instruction& instruction,
                       std::uint32_t truth) {
  if (!instruction.destination.is_null()) {
    Lanes<std::int32_t> ones;
    for (unsigned lane = 0; lane < context.lane_count; ++lane) {
      ones.value[lane] = (truth >> lane & 1) != 0 ? -1 : 0;
    }
    if (!instruction.plan.destination.store(context, instruction, ones.value)) {
      return Step::Illegal;
    }
  }
  write_flags(context, instruction, truth);
  return Step::Next;
}

Handler select_comparison(const Instruction& instruction, LaneType lanes) {
  switch (lanes) {
    case LaneType::Int32: return select_for<std::int32_t>(instruction.opcode);
    case LaneType::Int64: return select_for<std::int64_t>(instruction.opcode);
    case LaneType::Float32: return select_for<float>(instruction.opcode);
    case LaneType::Float64: return select_for<double>(instruction.opcode);
  }
  return nullptr;
}

Handler select_unsigned_comparison(const Instruction& instruction) {
  return select_for<std::uint64_t>(instruction.opcode);
}

}  // namespace xesim::eu
