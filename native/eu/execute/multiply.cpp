// Integer multiplication through the accumulator: mul into it, mac, mach and macl.
//
// A 32x32-bit product takes two steps: mul puts src0 times the low word of src1 into the
// accumulator, mach adds src0 times the high word, shifted. Its result is the high half of the
// product with AccWrEn, the low half (macl) without; the accumulator keeps all 64 bits. Since Xe-HPC
// there is no AccWrEn: mach always is the high half, and macl an opcode of its own.
#include <bit>
#include <cstring>

#include "eu/execute/host_vectors.hpp"
#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/execute/word_lanes.hpp"
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

// --- The two steps to the low half of a product, on whole registers and in 32-bit lanes ---

// mul into an accumulator. Of a dword of src1 the low word counts, as above.
template <class Factor>
Step multiply_on_registers(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int32_t> a;
  Lanes<std::int32_t> b;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  const std::int32_t counts = size_of(instruction.source[1].type) == 4 ? 0xFFFF : -1;
  const std::uint32_t start = instruction.plan.destination.position -
                              static_cast<std::uint32_t>(offsetof(ThreadState, accumulator));
  for_each_block(context.lane_count, [&](unsigned first) {
    Block<std::uint32_t> low;
    Block<std::int32_t> high;
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      const std::int64_t product =
          std::int64_t{static_cast<Factor>(a.value[first + lane])} * (b.value[first + lane] & counts);
      low[lane] = static_cast<std::uint32_t>(product);
      high[lane] = static_cast<std::int32_t>(product >> 32);
    }
    write_accumulators(context, start, first, low.data(), high.data());
  });
  return Step::Next;
}

// macl: what is above the 32 bits that are wanted is not computed.
Step accumulate_low_on_registers(ExecutionContext& context, const Instruction& instruction) {
  Lanes<std::int32_t> a;
  Lanes<std::int32_t> b;
  Lanes<std::uint32_t> result;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  const std::byte* const sums =
      context.thread.accumulator.data() + implicit_accumulator(instruction);
  for_each_block(context.lane_count, [&](unsigned first) {
    Block<std::uint32_t> sum;
    std::memcpy(sum.data(), sums + first * 4, sizeof sum);
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      const auto factor = static_cast<std::uint32_t>(a.value[first + lane]);
      const std::uint32_t high_word = static_cast<std::uint32_t>(b.value[first + lane]) >> 16;
      result.value[first + lane] = sum[lane] + (factor * high_word << 16);
    }
  });
  write_words(context, instruction, result.value);
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

// mach without AccWrEn has been the high half only since Xe-HPC.
bool gives_high_half(const Instruction& instruction, Platform platform) {
  return instruction.opcode == Opcode::Mach &&
         (instruction.accumulator_write || platform != Platform::XeHpg);
}

bool takes_whole_registers(const Instruction& instruction) {
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    const DataType type = instruction.source[index].type;
    if (is_float(type) || is_packed_vector(type) ||
        instruction.plan.source[index].modifier != SourceModifier::None) {
      return false;
    }
  }
  const DestinationPlan& plan = instruction.plan.destination;
  return instruction.execution_size >= kLaneBlock && instruction.condition == Condition::None &&
         !instruction.accumulator_write && takes_high_word(instruction) && !plan.indirect &&
         plan.stride == 4;
}

// Whether its blocks of lanes lie in one accumulator each.
bool writes_blocks_of_accumulators(const Instruction& instruction) {
  const DestinationPlan& plan = instruction.plan.destination;
  return plan.effect == DestinationEffect::Accumulator &&
         (plan.position - offsetof(ThreadState, accumulator)) % sizeof(Block<std::uint32_t>) == 0;
}

}  // namespace

Handler select_product_on_registers(const Instruction& instruction, Platform platform) {
  switch (instruction.opcode) {
    case Opcode::Mul:
      if (!takes_whole_registers(instruction) || !writes_blocks_of_accumulators(instruction)) {
        return nullptr;
      }
      return is_unsigned_integer(instruction.source[0].type)
                 ? for_host<multiply_on_registers<std::uint32_t>>()
                 : for_host<multiply_on_registers<std::int32_t>>();
    case Opcode::Mach: case Opcode::Macl:
      return takes_whole_registers(instruction) && !gives_high_half(instruction, platform) &&
                     instruction.destination.file == RegisterFile::Grf
                 ? for_host<accumulate_low_on_registers>()
                 : nullptr;
    default: return nullptr;
  }
}

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
      return gives_high_half(instruction, platform) ? multiply_accumulate_high_word<true>
                                                    : multiply_accumulate_high_word<false>;
    case Opcode::Macl:
      return takes_high_word(instruction) ? multiply_accumulate_high_word<false> : nullptr;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
