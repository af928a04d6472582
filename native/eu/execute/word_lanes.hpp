// Operands whose lanes are 32-bit elements side by side in registers, in blocks of lanes: what the
// routines on whole registers read and write, without arrays of lanes in between.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "eu/operands/lane_block.hpp"
#include "eu/operands/predication.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

// Calls `action` with the first lane of each block; there is at least one.
template <class Action>
inline void for_each_block(unsigned lanes, Action action) {
  unsigned first = 0;
  do {
    action(first);
    first += kLaneBlock;
  } while (first < lanes);
}

// A source: whole registers of T, or (`kNumber`) one number for all lanes. Of the modifiers it has
// all for floats, for integers those that are one operation on 32 bits.
template <class T, bool kNumber>
class WordSource {
 public:
  WordSource(ExecutionContext& context, const Instruction& instruction, unsigned index) {
    const SourcePlan& plan = instruction.plan.source[index];
    at_ = context.bytes() + plan.position;
    choose_modifier(plan.modifier);
    if constexpr (kNumber) {
      const Operand& operand = instruction.source[index];
      T value{};
      if (plan.stride != sizeof(T)) {
        plan.load(context, operand, plan, 1, &value);  // with the modifier
      } else {
        if (plan.access == SourceAccess::Immediate) {
          at_ = reinterpret_cast<const std::byte*>(&operand.immediate);
        }
        std::memcpy(&value, at_, sizeof value);
        value = modified(value);
      }
      number_.fill(value);
    }
  }

  [[nodiscard]] Block<T> block(unsigned first) const {
    if constexpr (kNumber) {
      return number_;
    } else {
      Block<T> block;
      std::memcpy(block.data(), at_ + first * sizeof(T), sizeof block);
      for (T& value : block) value = modified(value);
      return block;
    }
  }

 private:
  static constexpr std::uint32_t kSign = 0x80000000u;

  void choose_modifier(SourceModifier modifier) {
    if constexpr (std::is_floating_point_v<T>) {
      const bool absolute =
          modifier == SourceModifier::Absolute || modifier == SourceModifier::NegateAbsolute;
      const bool negate =
          modifier == SourceModifier::Negate || modifier == SourceModifier::NegateAbsolute;
      kept_ = absolute ? ~kSign : ~0u;
      flipped_ = negate ? kSign : 0;
    } else {
      flipped_ = modifier == SourceModifier::None ? 0 : ~0u;
      added_ = modifier == SourceModifier::Negate ? 1 : 0;
    }
  }

  [[nodiscard]] T modified(T value) const {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if constexpr (std::is_floating_point_v<T>) return std::bit_cast<T>((bits & kept_) ^ flipped_);
    else return static_cast<T>((bits ^ flipped_) + added_);
  }

  const std::byte* at_;
  std::uint32_t kept_ = ~0u;
  std::uint32_t flipped_ = 0;
  std::uint32_t added_ = 0;
  Block<T> number_;
};

// Puts the lanes of `enabled` into the block at `to`.
template <class T>
inline void write_block(std::byte* to, std::uint32_t enabled, const T* lanes) {
  if (enabled == kWholeBlock) {
    std::memcpy(to, lanes, sizeof(Block<T>));
    return;
  }
  Block<std::uint32_t> before;
  Block<std::uint32_t> after;
  std::memcpy(before.data(), to, sizeof before);
  std::memcpy(after.data(), lanes, sizeof after);
  for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
    const std::uint32_t taken = (enabled & kLaneBits[lane]) != 0 ? ~0u : 0;
    before[lane] = (before[lane] & ~taken) | (after[lane] & taken);
  }
  std::memcpy(to, before.data(), sizeof before);
}

// Puts a block of lanes of the context, from `first` on, into the accumulators that start `start` bytes
// into them: bits 31:0 in their elements, the rest beside these. `start` is a multiple of a block.
inline void write_accumulators(ExecutionContext& context, std::uint32_t start, unsigned first,
                               const std::uint32_t* low, const std::int32_t* high) {
  const std::uint32_t enabled = context.lanes >> first & kWholeBlock;
  const std::uint32_t at = start + first * 4;
  auto& extension = context.thread.accumulator_extension[at / context.grf_bytes];
  write_block(context.thread.accumulator.data() + at, enabled, low);
  write_block(reinterpret_cast<std::byte*>(extension.high.data() + at % context.grf_bytes / 4),
              enabled, high);
}

// Writes the context's lanes to the destination. An execution size is 1, or whole blocks.
template <class T>
inline void write_words(ExecutionContext& context, const Instruction& instruction,
                        const T* result) {
  std::byte* const out = context.bytes() + instruction.plan.destination.position;
  if (context.lane_count == 1) {
    std::memcpy(out, result, sizeof(T));
    return;
  }
  for_each_block(context.lane_count, [&](unsigned first) {
    write_block(out + first * sizeof(T), context.lanes >> first & kWholeBlock, result + first);
  });
}

}  // namespace xesim::eu
