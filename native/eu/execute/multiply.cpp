// Integer multiplication through the accumulator: mul into it, mac, mach and macl.
//
// A 32x32-bit product takes two steps: mul puts src0 times the low word of src1 into the
// accumulator, mach adds src0 times the high word, shifted. Its result is the high half of the
// product with AccWrEn, the low half (macl) without; the accumulator keeps all 64 bits. Since Xe-HPC
// there is no AccWrEn: mach always is the high half, and macl an opcode of its own.
#include <bit>
#include <cstring>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/operands/register_place.hpp"

namespace xesim::eu {

namespace {

std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// The lane's element of the implicit accumulator with its extension.
std::int64_t accumulated(const ExecutionContext& context, const Instruction& instruction,
                         unsigned lane) {
  const std::uint32_t at = implicit_accumulator(instruction) + lane * 4;
  std::uint32_t low = 0;
  std::memcpy(&low, context.thread.accumulator.data() + at, sizeof low);
  const std::int32_t high = context.thread.accumulator_extension[at / context.grf_bytes]
                                .high[at % context.grf_bytes / 4];
  return static_cast<std::int64_t>(
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 | low);
}

// Words lie side by side in acc0; they have no extension.
std::int64_t addend(const ExecutionContext& context, const Instruction& instruction,
                    unsigned lane) {
  const DataType type = instruction.destination.type;
  if (size_of(type) != 2) return accumulated(context, instruction, lane);
  std::int16_t value = 0;
  std::memcpy(&value,
              context.thread.accumulator.data() + implicit_accumulator(instruction) +
                  lane * sizeof value,
              sizeof value);
  return type == DataType::W ? value : static_cast<std::uint16_t>(value);
}

// Puts bits 63:32 of `values` beside the elements that start `first` bytes into the accumulators.
void extend(ExecutionContext& context, std::uint32_t first, unsigned stride,
            const std::int64_t* values) {
  for (std::uint32_t rest = context.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint32_t at = first + lane * stride;
    auto& extension = context.thread.accumulator_extension[at / context.grf_bytes];
    extension.high[at % context.grf_bytes / 4] = static_cast<std::int32_t>(values[lane] >> 32);
  }
}

void load_factors(ExecutionContext& context, const Instruction& instruction,
                  Lanes<std::int64_t>& a, Lanes<std::int64_t>& b) {
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
}

// A dword of src1 counts with its low word only where the product goes to an accumulator: mach adds
// the other half.
template <bool kLowWord>
Step multiply(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int64_t> a;
  Lanes<std::int64_t> b;
  load_factors(context, instruction, a, b);
  if (kLowWord) {
    for_each_lane(context.lane_count, [&](unsigned lane) { b.value[lane] &= 0xFFFF; });
  }
  for_each_lane(context.lane_count, [&](unsigned lane) {
    a.value[lane] = wrapping_multiply(a.value[lane], b.value[lane]);
  });
  const Step step = finish(context, instruction, a.value);
  if (step != Step::Next || instruction.saturate) return step;
  if (size_of(instruction.destination.type) != 4) return step;
  const DestinationPlan& plan = instruction.plan.destination;
  if (plan.effect == DestinationEffect::Accumulator) {
    const auto base = static_cast<std::uint32_t>(offsetof(ThreadState, accumulator));
    extend(context, plan.position - base, plan.stride, a.value);
  }
  if (instruction.accumulator_write) extend(context, implicit_accumulator(instruction), 4, a.value);
  return step;
}

// mac: the addends are the elements of acc0, of the destination's type.
Step multiply_accumulate(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int64_t> a;
  Lanes<std::int64_t> b;
  load_factors(context, instruction, a, b);
  for_each_lane(context.lane_count, [&](unsigned lane) {
    a.value[lane] = wrapping_add(addend(context, instruction, lane),
                                 wrapping_multiply(a.value[lane], b.value[lane]));
  });
  return finish(context, instruction, a.value);
}

template <bool kHigh>
Step multiply_accumulate_high_word(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int64_t> a;
  Lanes<std::int64_t> b;
  Lanes<std::int64_t> result;
  load_factors(context, instruction, a, b);
  for_each_lane(context.lane_count, [&](unsigned lane) {
    const std::int64_t upper = wrapping_multiply(a.value[lane], b.value[lane] >> 16);
    a.value[lane] = wrapping_add(accumulated(context, instruction, lane),
                                 wrapping_multiply(upper, 0x10000));
    result.value[lane] = kHigh ? a.value[lane] >> 32 : a.value[lane];
  });
  if (!instruction.plan.destination.store(context, instruction, result.value)) {
    return Step::Illegal;
  }
  if (instruction.condition != Condition::None) {
    write_condition(context, instruction, result.value);
  }
  if (kHigh || instruction.accumulator_write) {
    store_accumulator(context, instruction, a.value);
    extend(context, implicit_accumulator(instruction), 4, a.value);
  }
  return Step::Next;
}

bool is_dword_product(const Instruction& instruction) {
  return size_of(instruction.source[0].type) == 4 && size_of(instruction.destination.type) == 4 &&
         !instruction.saturate;
}

bool all_dwords(const Instruction& instruction) {
  return is_dword_product(instruction) && size_of(instruction.source[1].type) == 4;
}

// A word of src1, as oneMKL's kernels write small constants, is extended to a dword; its high word
// is the sign, or zero.
bool takes_high_word(const Instruction& instruction) {
  return all_dwords(instruction) ||
         (is_dword_product(instruction) && size_of(instruction.source[1].type) == 2);
}

}  // namespace

Handler select_accumulating(const Instruction& instruction, Platform platform) {
  switch (instruction.opcode) {
    case Opcode::Mul:
      if (!all_dwords(instruction)) return multiply<false>;
      return instruction.accumulator_write ? nullptr : multiply<true>;
    case Opcode::Mac:
      return size_of(instruction.destination.type) == 2 ||
                     size_of(instruction.destination.type) == 4
                 ? multiply_accumulate
                 : nullptr;
    case Opcode::Mach:
      if (!takes_high_word(instruction)) return nullptr;
      return instruction.accumulator_write || platform != Platform::XeHpg
                 ? multiply_accumulate_high_word<true>
                 : multiply_accumulate_high_word<false>;
    case Opcode::Macl:
      return takes_high_word(instruction) ? multiply_accumulate_high_word<false> : nullptr;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
