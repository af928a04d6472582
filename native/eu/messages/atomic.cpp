// Atomics, per lane in lane order. They are atomic for the host as well: shared allocations are the
// same memory on both sides.
#include <atomic>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "eu/arithmetic/narrow_float.hpp"
#include "eu/messages/context.hpp"

namespace xesim::eu {
namespace {

bool is_float(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::FloatAdd:
    case AtomicOperation::FloatSubtract:
    case AtomicOperation::FloatMin:
    case AtomicOperation::FloatMax:
    case AtomicOperation::FloatCompareExchange:
      return true;
    default:
      return false;
  }
}

// The number type of `Bits`, and what it is computed in: halves as floats, whose sums and
// differences are exact enough to be rounded once more.
template <typename Bits>
using FloatOf = std::conditional_t<sizeof(Bits) == 8, double, float>;

template <typename Bits>
FloatOf<Bits> to_float(Bits bits) {
  if constexpr (sizeof(Bits) == 2) {
    return half_to_float(std::bit_cast<Half>(bits));
  } else {
    return std::bit_cast<FloatOf<Bits>>(bits);
  }
}

template <typename Bits>
Bits to_bits(FloatOf<Bits> value) {
  if constexpr (sizeof(Bits) == 2) {
    return std::bit_cast<Bits>(double_to_half(static_cast<double>(value)));
  } else {
    return std::bit_cast<Bits>(value);
  }
}

// The data port rounds to nearest even, whatever the thread's rounding mode is.
class RoundToNearest {
 public:
  RoundToNearest() : mode_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
  ~RoundToNearest() { std::fesetround(mode_); }
  RoundToNearest(const RoundToNearest&) = delete;
  RoundToNearest& operator=(const RoundToNearest&) = delete;

 private:
  int mode_;
};

template <typename Bits>
Bits next_integer(AtomicOperation operation, Bits old, Bits first, Bits second) {
  using Signed = std::make_signed_t<Bits>;
  const auto signed_less = [](Bits a, Bits b) {
    return static_cast<Signed>(a) < static_cast<Signed>(b);
  };
  switch (operation) {
    case AtomicOperation::Increment:
      return old + 1;
    case AtomicOperation::Decrement:
    case AtomicOperation::PreDecrement:
      return old - 1;
    case AtomicOperation::Store:
      return first;
    case AtomicOperation::Add:
      return old + first;
    case AtomicOperation::Subtract:
      return old - first;
    case AtomicOperation::ReverseSubtract:
      return first - old;
    case AtomicOperation::SignedMin:
      return signed_less(first, old) ? first : old;
    case AtomicOperation::SignedMax:
      return signed_less(old, first) ? first : old;
    case AtomicOperation::UnsignedMin:
      return first < old ? first : old;
    case AtomicOperation::UnsignedMax:
      return old < first ? first : old;
    case AtomicOperation::CompareExchange:
      return old == first ? second : old;
    case AtomicOperation::And:
      return old & first;
    case AtomicOperation::Or:
      return old | first;
    case AtomicOperation::Xor:
      return old ^ first;
    default:
      return old;
  }
}

// A minimum or maximum with one NaN is the other value, as for fmin and fmax of the sel instruction.
template <typename Bits>
Bits next_float(AtomicOperation operation, Bits old_bits, Bits first_bits, Bits second_bits) {
  const FloatOf<Bits> old = to_float(old_bits);
  const FloatOf<Bits> first = to_float(first_bits);
  switch (operation) {
    case AtomicOperation::FloatAdd:
      return to_bits<Bits>(old + first);
    case AtomicOperation::FloatSubtract:
      return to_bits<Bits>(old - first);
    case AtomicOperation::FloatMin:
      return first < old || std::isnan(old) ? first_bits : old_bits;
    case AtomicOperation::FloatMax:
      return old < first || std::isnan(old) ? first_bits : old_bits;
    default:  // FloatCompareExchange: as numbers, so that -0 equals 0 and a NaN nothing
      return old == first ? second_bits : old_bits;
  }
}

template <typename Bits>
Bits next_value(AtomicOperation operation, Bits old, Bits first, Bits second) {
  if (is_float(operation)) {
    return next_float(operation, old, first, second);
  }
  return next_integer(operation, old, first, second);
}

// What the message gives back: the value before, but for one operation.
template <typename Bits>
Bits update(AtomicOperation operation, std::byte* host, Bits first, Bits second) {
  std::atomic_ref<Bits> target(*reinterpret_cast<Bits*>(host));
  Bits old = target.load();
  if (operation == AtomicOperation::Load) {
    return old;
  }
  Bits next = next_value(operation, old, first, second);
  while (!target.compare_exchange_weak(old, next)) {
    next = next_value(operation, old, first, second);
  }
  return operation == AtomicOperation::PreDecrement ? next : old;
}

template <typename Bits>
void update_lanes(const MessageContext& context, const DataMessage& message,
                  const LaneHosts& hosts, std::uint32_t slots) {
  const std::size_t block_bytes =
      std::size_t{block_registers(context, message)} * grf_bytes(context.platform);
  const unsigned operands = operand_count(message.atomic);
  const std::byte* const data = context.data(message);
  for (; slots != 0; slots &= slots - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(slots));
    const std::size_t position = std::size_t{slot} * message.register_bytes;
    Bits first = 0;
    Bits second = 0;
    if (operands >= 1) {
      std::memcpy(&first, data + position, sizeof first);
    }
    if (operands == 2) {
      std::memcpy(&second, data + block_bytes + position, sizeof second);
    }
    // Out of bounds: nothing happens, and zero comes back.
    const Bits result =
        hosts[slot] == nullptr ? Bits{0} : update(message.atomic, hosts[slot], first, second);
    if (message.returns_data && !context.instruction.destination.is_null()) {
      std::uint64_t wide = result;
      std::memcpy(context.response() + position, &wide, message.register_bytes);
    }
  }
}

// Where each lane's value is; null for those out of bounds. Any outcome but Done ends the message.
MessageResult locate(const MessageContext& context, TargetMemory& memory,
                     const DataMessage& message, const LaneOffsets& offsets, std::uint32_t slots,
                     LaneHosts& hosts) {
  const bool write = message.atomic != AtomicOperation::Load;
  MessageResult result;
  for (; slots != 0; slots &= slots - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(slots));
    const std::uint64_t offset = offsets[slot];
    if (memory.address(offset) % message.memory_bytes != 0) {
      return unsupported(context.send, "atomic at an address that is not a multiple of its size");
    }
    if (memory.drops(offset, message.memory_bytes, true)) {
      hosts[slot] = nullptr;
      continue;
    }
    if (!memory.accessible(offset, message.memory_bytes, write, result.fault)) {
      result.outcome = MessageOutcome::PageFault;
      result.fault.access = FaultAccess::Atomic;
      result.fault.lane = static_cast<std::uint8_t>(context.instruction.channel_offset + slot);
      return result;
    }
    hosts[slot] = memory.resolve(offset, message.memory_bytes, write);
    if (hosts[slot] == nullptr ||
        reinterpret_cast<std::uintptr_t>(hosts[slot]) % message.memory_bytes != 0) {
      return unsupported(context.send, "atomic in memory that the host cannot lock");
    }
  }
  return result;
}

void notify(const MessageContext& context, TargetMemory& memory, const DataMessage& message,
            const LaneOffsets& offsets, const LaneHosts& hosts, std::uint32_t slots) {
  for (; slots != 0; slots &= slots - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(slots));
    if (hosts[slot] != nullptr) {
      context.observer->memory(
          context.thread,
          {.kind = AccessKind::Atomic,
           .space = memory.space(),
           .address = memory.address(offsets[slot]),
           .size = message.memory_bytes,
           .lane = static_cast<std::uint8_t>(context.instruction.channel_offset + slot)});
    }
  }
}

}  // namespace

std::uint32_t update_dword(AtomicOperation operation, std::byte* host, std::uint32_t first,
                           std::uint32_t second) {
  return update(operation, host, first, second);
}

MessageResult execute_atomic(const MessageContext& context, const DataMessage& message) {
  if (context.slots == 0) {
    return {};
  }
  if (message.memory_bytes < 2 || message.high_half || message.register_bytes < 4) {
    return unsupported(context.send, "atomic of this data size");
  }
  const unsigned registers = block_registers(context, message);
  if (registers * operand_count(message.atomic) > context.data_length(message) ||
      (message.returns_data && registers > context.send.response_length())) {
    return unsupported(context.send, "register payload shorter than its data");
  }
  TargetMemory memory(message, context.environment, context.windows);
  if (memory.unsupported() != nullptr) {
    return unsupported(context.send, memory.unsupported());
  }
  const std::uint32_t slots = active_slots(context, message);
  const LaneOffsets offsets = read_lane_offsets(context, message);
  LaneHosts hosts{};
  const MessageResult located = locate(context, memory, message, offsets, slots, hosts);
  if (located.outcome != MessageOutcome::Done) {
    return located;
  }
  if (context.observer != nullptr) {
    notify(context, memory, message, offsets, hosts, slots);
  }
  context.windows.global_atomics += memory.space() == MemorySpace::Global;
  const RoundToNearest rounding;
  switch (message.memory_bytes) {
    case 2:
      update_lanes<std::uint16_t>(context, message, hosts, slots);
      break;
    case 4:
      update_lanes<std::uint32_t>(context, message, hosts, slots);
      break;
    default:
      update_lanes<std::uint64_t>(context, message, hosts, slots);
      break;
  }
  return {};
}

}  // namespace xesim::eu
