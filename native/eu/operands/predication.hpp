// Flag registers: predicates read them, condition modifiers write them.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "eu/operands/lane_block.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

[[nodiscard]] constexpr std::uint32_t lane_mask(unsigned lanes) {
  return lanes == 32 ? 0xFFFFFFFFu : (1u << lanes) - 1;
}

// The lanes for which the instruction's predicate is true; bit 0 is its first lane. Inversion
// comes after the group functions (any2h, all4h ...). All lanes without a predicate.
[[nodiscard]] std::uint32_t predicate_lanes(const ThreadState& thread,
                                            const Instruction& instruction);

// Sets the flag bits of the context's lanes to those of `truth`.
void write_flags(ExecutionContext& context, const Instruction& instruction, std::uint32_t truth);

// Lanes whose value satisfies `condition` against zero (`other` null), or against `other`.
template <class T>
[[nodiscard]] std::uint32_t compare_lanes(Condition condition, unsigned lanes, const T* value,
                                          const T* other) {
  std::uint32_t truth = 0;
  const auto each = [&](auto holds) {
    const auto compare = [&](unsigned first, unsigned count) {
      std::uint32_t bits = 0;
      for (unsigned lane = 0; lane < count; ++lane) {
        const T right = other == nullptr ? T{0} : other[first + lane];
        bits |= holds(value[first + lane], right) ? kLaneBits[lane] : 0;
      }
      truth |= bits << first;
    };
    if (lanes < kLaneBlock) return compare(0, lanes);
    for (unsigned first = 0; first < lanes; first += kLaneBlock) compare(first, kLaneBlock);
  };
  switch (condition) {
    case Condition::Eq: each([](T a, T b) { return a == b; }); break;
    case Condition::Ne: each([](T a, T b) { return a != b; }); break;
    case Condition::Gt: each([](T a, T b) { return a > b; }); break;
    case Condition::Ge: each([](T a, T b) { return a >= b; }); break;
    case Condition::Lt: each([](T a, T b) { return a < b; }); break;
    case Condition::Le: each([](T a, T b) { return a <= b; }); break;
    case Condition::Un:
      if constexpr (std::is_floating_point_v<T>) {
        each([](T a, T b) { return std::isnan(a) || std::isnan(b); });
      }
      break;
    case Condition::Ov:
      if constexpr (std::is_floating_point_v<T>) each([](T a, T) { return std::isinf(a); });
      break;
    case Condition::None: case Condition::Eo:
      break;
  }
  return truth;
}

}  // namespace xesim::eu
