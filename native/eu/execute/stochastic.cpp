// srnd: rounds to a narrower type, with src1 as the source of randomness.
#include <bit>

#include "eu/arithmetic/narrow_float.hpp"
#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

// Sources are bits, not numbers: those of src1 are no number at all.
template <class Round>
Step round_at_random(ExecutionContext& context, const Instruction& instruction, Round round) {
  Lanes<std::int32_t> value;
  Lanes<std::int32_t> random;
  Lanes<std::int32_t> result;
  load_source(context, instruction, 0, value.value);
  load_source(context, instruction, 1, random.value);
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    result.value[lane] = round(static_cast<std::uint32_t>(value.value[lane]),
                               static_cast<std::uint32_t>(random.value[lane]))
                             .bits;
  }
  if (!instruction.plan.destination.store(context, instruction, result.value)) {
    return Step::Illegal;
  }
  return Step::Next;
}

Step round_to_half(ExecutionContext& context, const Instruction& instruction) {
  return round_at_random(context, instruction, [](std::uint32_t value, std::uint32_t random) {
    return float_to_half_at_random(std::bit_cast<float>(value), random);
  });
}

Step round_to_bfloat8(ExecutionContext& context, const Instruction& instruction) {
  return round_at_random(
      context, instruction, [](std::uint32_t value, std::uint32_t random) {
        return half_to_bfloat8_at_random(Half{static_cast<std::uint16_t>(value)}, random);
      });
}

}  // namespace

Handler select_stochastic(const Instruction& instruction) {
  const DataType from = instruction.source[0].type;
  const DataType to = instruction.destination.type;
  if (from == DataType::F && to == DataType::Hf) return round_to_half;
  if (from == DataType::Hf && to == DataType::Bf8) return round_to_bfloat8;
  return nullptr;
}

}  // namespace xesim::eu
