#include "eu/operands/store.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "eu/operands/lane_block.hpp"
#include "eu/operands/lane_conversion.hpp"
#include "eu/operands/load.hpp"
#include "eu/operands/predication.hpp"
#include "eu/operands/register_place.hpp"

namespace xesim::eu {

namespace {

// `inside`: the elements of lanes that are not written lie in the register file, too.
template <class To, bool kSaturate, class From>
void store_elements(std::byte* at, unsigned stride, std::uint32_t mask, unsigned lanes,
                    const From* values, bool inside = true) {
  // Of numbers that the host converts by itself all of a block are converted, written or not.
  if (stride == sizeof(To) && lanes >= kLaneBlock &&
      ((std::is_arithmetic_v<To> && inside) || mask == lane_mask(lanes))) {
    for (unsigned block = 0; block < lanes; block += kLaneBlock) {
      const std::uint32_t enabled = mask >> block & kWholeBlock;
      Block<To> elements;
      for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
        elements[lane] = narrow<To, kSaturate>(values[block + lane]);
      }
      if (enabled != kWholeBlock) {
        Block<To> before;
        std::memcpy(before.data(), at + block * sizeof(To), sizeof before);
        for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
          if ((enabled & kLaneBits[lane]) == 0) elements[lane] = before[lane];
        }
      }
      std::memcpy(at + block * sizeof(To), elements.data(), sizeof elements);
    }
    return;
  }
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const To element = narrow<To, kSaturate>(values[lane]);
    std::memcpy(at + lane * stride, &element, sizeof element);
  }
}

// Where an indirect destination starts; null, with a report, if a lane that writes would leave the
// register file. Compilers index arrays of registers one lane at a time, with an address such that
// the other lanes of the row may lie anywhere.
std::byte* indirect_destination(ExecutionContext& context, const Instruction& instruction,
                                unsigned stride, unsigned size) {
  const std::int32_t address = indirect_address(context.thread, instruction.destination, 0);
  const auto first = static_cast<unsigned>(std::countr_zero(context.lanes));
  const auto last = static_cast<unsigned>(std::bit_width(context.lanes)) - 1;
  const auto limit = static_cast<std::int32_t>(context.register_count * context.grf_bytes);
  if (context.lanes != 0 &&
      (address + static_cast<std::int32_t>(first * stride) < 0 ||
       address + static_cast<std::int32_t>(last * stride + size) > limit)) {
    context.report = "an indirect destination leaves the register file: address " +
                     std::to_string(address);
    return nullptr;
  }
  return context.thread.grf.data() + address;
}

template <class To>
double smallest_kept(const ExecutionContext& context) {
  if constexpr (std::is_integral_v<To>) return 0;
  else if constexpr (std::is_same_v<To, double>) return context.flush_denormals_f64 ? 0x1p-1022 : 0;
  else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat8>) {
    return context.flush_denormals_f16 ? 0x1p-14 : 0;
  } else return context.flush_denormals_f32 ? 0x1p-126 : 0;
}

// To whole numbers, in the rounding mode.
template <class T>
void round_lanes(unsigned lanes, const T* values, T* rounded) {
  for (unsigned lane = 0; lane < lanes; ++lane) rounded[lane] = std::nearbyint(values[lane]);
}

template <class To, bool kSaturate, class From>
bool store(ExecutionContext& context, const Instruction& instruction, const void* lanes) {
  const auto* values = static_cast<const From*>(lanes);
  const DestinationPlan& plan = instruction.plan.destination;
  std::byte* at = context.bytes() + plan.position;
  if (plan.indirect) {
    at = indirect_destination(context, instruction, plan.stride, sizeof(To));
    if (at == nullptr) return false;
  }
  std::array<From, kMaxLanes> adjusted;
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (context.rounded_integers) {
      round_lanes(context.lane_count, values, adjusted.data());
      values = adjusted.data();
    }
  } else if constexpr (std::is_floating_point_v<From>) {
    const double smallest = smallest_kept<To>(context);
    if (smallest != 0) {
      for (unsigned lane = 0; lane < context.lane_count; ++lane) {
        const From value = values[lane];
        adjusted[lane] = std::fabs(value) < smallest ? std::copysign(From{0}, value) : value;
      }
      values = adjusted.data();
    }
  }
  store_elements<To, kSaturate>(at, plan.stride, context.lanes, context.lane_count, values,
                                !plan.indirect);
  if (plan.effect != DestinationEffect::None) apply_effect(context, instruction);
  return true;
}

bool store_nothing(ExecutionContext&, const Instruction&, const void*) { return true; }

template <class From, bool kSaturate>
DestinationStorer storer(DataType type) {
  switch (type) {
    case DataType::Ub: return store<std::uint8_t, kSaturate, From>;
    case DataType::Uw: return store<std::uint16_t, kSaturate, From>;
    case DataType::Ud: return store<std::uint32_t, kSaturate, From>;
    case DataType::Uq: return store<std::uint64_t, kSaturate, From>;
    case DataType::B: return store<std::int8_t, kSaturate, From>;
    case DataType::W: return store<std::int16_t, kSaturate, From>;
    case DataType::D: return store<std::int32_t, kSaturate, From>;
    case DataType::Q: return store<std::int64_t, kSaturate, From>;
    case DataType::Hf: return store<Half, kSaturate, From>;
    case DataType::Bf: return store<BFloat, kSaturate, From>;
    case DataType::Bf8: return store<BFloat8, kSaturate, From>;
    case DataType::Tf32: return store<TensorFloat, kSaturate, From>;
    case DataType::F: return store<float, kSaturate, From>;
    case DataType::Df: return store<double, kSaturate, From>;
    default: return nullptr;
  }
}

template <class From>
DestinationStorer storer(DataType type, bool saturate) {
  return saturate ? storer<From, true>(type) : storer<From, false>(type);
}

template <class To, class T>
void narrow_to(bool saturate, unsigned lanes, T* values) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const To element = saturate ? narrow<To, true>(values[lane]) : narrow<To, false>(values[lane]);
    values[lane] = widen<T>(element);
  }
}

// Calls `action` with a null pointer to the C++ type of an element of `type`.
template <class Action>
void with_element_type(DataType type, Action action) {
  switch (type) {
    case DataType::Ub: action(static_cast<std::uint8_t*>(nullptr)); break;
    case DataType::Uw: action(static_cast<std::uint16_t*>(nullptr)); break;
    case DataType::Ud: action(static_cast<std::uint32_t*>(nullptr)); break;
    case DataType::Uq: action(static_cast<std::uint64_t*>(nullptr)); break;
    case DataType::B: action(static_cast<std::int8_t*>(nullptr)); break;
    case DataType::W: action(static_cast<std::int16_t*>(nullptr)); break;
    case DataType::D: action(static_cast<std::int32_t*>(nullptr)); break;
    case DataType::Q: action(static_cast<std::int64_t*>(nullptr)); break;
    case DataType::Hf: action(static_cast<Half*>(nullptr)); break;
    case DataType::Bf: action(static_cast<BFloat*>(nullptr)); break;
    case DataType::Bf8: action(static_cast<BFloat8*>(nullptr)); break;
    case DataType::Tf32: action(static_cast<TensorFloat*>(nullptr)); break;
    case DataType::F: action(static_cast<float*>(nullptr)); break;
    case DataType::Df: action(static_cast<double*>(nullptr)); break;
    default: break;
  }
}

// An element that was written as an ordinary number has no bits above its 32.
void extend_accumulator(ExecutionContext& context, std::uint32_t first, unsigned stride,
                        bool is_signed) {
  for (std::uint32_t rest = context.lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t at = first + static_cast<unsigned>(std::countr_zero(rest)) * stride;
    std::int32_t value = 0;
    std::memcpy(&value, context.thread.accumulator.data() + at / 4 * 4, sizeof value);
    auto& extension = context.thread.accumulator_extension[at / context.grf_bytes];
    extension.high[at % context.grf_bytes / 4] = is_signed && value < 0 ? -1 : 0;
  }
}

void dispatch_new_channels(ExecutionContext& context, std::uint32_t before) {
  const std::uint32_t added = context.thread.state[2] & ~before;
  // No branch sent these channels here: they stay disabled, as no instruction has their address.
  context.send_channels_to(added, kNoInstruction);
}

}  // namespace

DestinationStorer select_storer(LaneType lane_type, DataType type, bool saturate) {
  switch (lane_type) {
    case LaneType::Int32: return storer<std::int32_t>(type, saturate);
    case LaneType::Int64: return storer<std::int64_t>(type, saturate);
    case LaneType::Float32: return storer<float>(type, saturate);
    case LaneType::Float64: return storer<double>(type, saturate);
  }
  return nullptr;
}

DestinationStorer null_storer() { return store_nothing; }

void apply_effect(ExecutionContext& context, const Instruction& instruction) {
  const DestinationPlan& plan = instruction.plan.destination;
  const DataType type = instruction.destination.type;
  switch (plan.effect) {
    case DestinationEffect::None:
      break;
    case DestinationEffect::Accumulator:
      extend_accumulator(context,
                         plan.position - static_cast<std::uint32_t>(
                                             offsetof(ThreadState, accumulator)),
                         plan.stride, is_signed_integer(type));
      break;
    case DestinationEffect::Control:
      context.apply_control_register();
      break;
    case DestinationEffect::State:
      dispatch_new_channels(context, context.dispatched);
      context.dispatched = context.thread.state[2];
      break;
  }
}

template <class T>
void narrow_lanes(const ExecutionContext& context, DataType type, bool saturate, T* values) {
  const unsigned lanes = context.lane_count;
  if constexpr (std::is_floating_point_v<T>) {
    if (context.rounded_integers && !is_float(type)) round_lanes(lanes, values, values);
  }
  with_element_type(type, [&]<class To>(To*) { narrow_to<To>(saturate, lanes, values); });
}

template <class T>
void store_accumulator(ExecutionContext& context, const Instruction& instruction,
                       const T* values) {
  const DataType type = instruction.destination.type;
  const unsigned stride = size_of(type);
  std::array<T, kMaxLanes> rounded;
  if constexpr (std::is_floating_point_v<T>) {
    if (context.rounded_integers && !is_float(type)) {
      round_lanes(context.lane_count, values, rounded.data());
      values = rounded.data();
    }
  }
  with_element_type(type, [&]<class To>(To*) {
    std::byte* const at = context.thread.accumulator.data() + implicit_accumulator(instruction);
    if (instruction.saturate) {
      store_elements<To, true>(at, stride, context.lanes, context.lane_count, values);
    } else {
      store_elements<To, false>(at, stride, context.lanes, context.lane_count, values);
    }
  });
  extend_accumulator(context, implicit_accumulator(instruction), stride, is_signed_integer(type));
}

template void narrow_lanes(const ExecutionContext&, DataType, bool, std::int32_t*);
template void narrow_lanes(const ExecutionContext&, DataType, bool, std::int64_t*);
template void narrow_lanes(const ExecutionContext&, DataType, bool, float*);
template void narrow_lanes(const ExecutionContext&, DataType, bool, double*);
template void store_accumulator(ExecutionContext&, const Instruction&, const std::int32_t*);
template void store_accumulator(ExecutionContext&, const Instruction&, const std::int64_t*);
template void store_accumulator(ExecutionContext&, const Instruction&, const std::uint64_t*);
template void store_accumulator(ExecutionContext&, const Instruction&, const float*);
template void store_accumulator(ExecutionContext&, const Instruction&, const double*);

}  // namespace xesim::eu
