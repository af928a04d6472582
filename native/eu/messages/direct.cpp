#include "eu/messages/direct.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "eu/messages/memory_element.hpp"
#include "eu/operands/predication.hpp"
#include "eu/operands/register_place.hpp"
#include "eu/thread/execution_context.hpp"
#include "eu/thread/slots.hpp"

namespace xesim::eu {
namespace {

constexpr unsigned kMostComponents = 4;

// The window of the cache that has the address; null if none.
const MemoryWindow* cached_window(const WindowCache& windows, MemorySpace space,
                                  std::uint64_t address) {
  const auto has = [&](const MemoryWindow& window) {
    return address - window.base < window.size;
  };
  if (space == MemorySpace::Slm) return has(windows.slm) ? &windows.slm : nullptr;
  for (const MemoryWindow& window : windows.global) {
    if (has(window)) return &window;
  }
  return nullptr;
}

const std::byte* register_bytes(const ExecutionContext& context, const Operand& operand) {
  return context.thread.grf.data() + std::size_t{operand.register_number} * context.grf_bytes;
}

// Whether a lane may touch what is watched; `within`: offsets from `base`.
bool may_be_watched(const AccessFilter& filter, std::uint64_t base,
                    const std::array<std::uint64_t, kMaxLanes>& within, std::uint32_t slots) {
  if (filter.empty()) return false;
  bool may = false;
  for_each_slot(slots, [&](unsigned slot) { may |= filter.may_touch(base + within[slot]); });
  return may;
}

// Where the data of a component and a lane are: in memory at `host` and its offset within, in the
// registers one after the other.
template <class Memory, class Register, bool kStore>
void transfer_component(std::byte* host, const std::array<std::uint64_t, kMaxLanes>& within,
                        std::uint32_t slots, std::byte* block) {
  for_each_slot(slots, [&](unsigned slot) {
    if constexpr (kStore) {
      Register value;
      std::memcpy(&value, block + slot * sizeof value, sizeof value);
      const auto element = static_cast<Memory>(value);
      store_element(host + within[slot], element);
    } else {
      const auto element = load_element<Memory>(host + within[slot]);
      const auto value = static_cast<Register>(element);
      std::memcpy(block + slot * sizeof value, &value, sizeof value);
    }
  });
}

template <class Address, class Memory, class Register, bool kStore>
bool transfer(ExecutionContext& context, const Instruction& instruction) {
  constexpr MemorySpace kSpace =
      sizeof(Address) == 8 ? MemorySpace::Global : MemorySpace::Slm;
  const MessagePlan& plan = instruction.plan.message;
  const DataMessage& message = plan.data;
  const std::uint32_t slots = context.lanes & lane_mask(message.slots);
  if (slots == 0) return true;
  const std::byte* const addresses =
      register_bytes(context, instruction.source[0]) + message.address_start;
  const auto offset_of = [&](unsigned slot) {
    Address address;
    std::memcpy(&address, addresses + slot * sizeof address, sizeof address);
    return (address & message.offset_mask) +
           static_cast<std::uint64_t>(std::int64_t{message.immediate_offset});
  };
  const std::uint64_t first = offset_of(static_cast<unsigned>(std::countr_zero(slots)));
  const MemoryWindow* const window = cached_window(context.windows, kSpace, first);
  if (window == nullptr || window->size < plan.extent || (kStore && !window->writable)) {
    return false;
  }
  const std::uint64_t room = window->size - plan.extent;
  std::array<std::uint64_t, kMaxLanes> within;
  bool outside = false;
  std::uint64_t bits = window->base;
  for_each_slot(slots, [&](unsigned slot) {
    within[slot] = offset_of(slot) - window->base;
    outside |= within[slot] > room;
    bits |= within[slot];
  });
  if (outside || (bits & (message.alignment - 1u)) != 0) return false;
  if (context.watch != nullptr &&
      may_be_watched(context.watch->filter(kSpace, kStore),
                     kSpace == MemorySpace::Slm ? 0 : window->base, within, slots)) {
    return false;
  }
  const bool separate = kStore && plan.source1_length != 0;
  const Operand& data = !kStore     ? instruction.destination
                        : separate ? instruction.source[1]
                                   : instruction.source[0];
  std::size_t block = separate || !kStore ? 0 : message.address_registers * context.grf_bytes;
  block += std::size_t{data.register_number} * context.grf_bytes;
  std::byte* host = window->host;
  for (unsigned component = 0; component < plan.components; ++component) {
    transfer_component<Memory, Register, kStore>(host, within, slots,
                                                 context.thread.grf.data() + block);
    block += plan.block_bytes;
    host += sizeof(Memory);
  }
  return true;
}

template <class Address, class Memory, class Register>
DirectTransfer of_direction(const DataMessage& message) {
  return message.operation == DataOperation::Store ? transfer<Address, Memory, Register, true>
                                                   : transfer<Address, Memory, Register, false>;
}

template <class Address>
DirectTransfer of_size(const DataMessage& message) {
  const bool widened = message.register_bytes == 4;
  switch (message.memory_bytes) {
    case 1:
      return widened ? of_direction<Address, std::uint8_t, std::uint32_t>(message)
                     : of_direction<Address, std::uint8_t, std::uint8_t>(message);
    case 2:
      return widened ? of_direction<Address, std::uint16_t, std::uint32_t>(message)
                     : of_direction<Address, std::uint16_t, std::uint16_t>(message);
    case 4: return of_direction<Address, std::uint32_t, std::uint32_t>(message);
    default: return of_direction<Address, std::uint64_t, std::uint64_t>(message);
  }
}

bool is_common(const DataMessage& message) {
  const bool transfers =
      message.operation == DataOperation::Load || message.operation == DataOperation::Store;
  return message.unsupported == nullptr && !message.typed && transfers &&
         message.order == AddressOrder::PerLane && message.address_shift == 0 &&
         !message.high_half && message.component_mask < 1u << kMostComponents &&
         (message.component_mask & (message.component_mask + 1)) == 0;
}

}  // namespace

DirectTransfer select_direct_transfer(const Instruction& instruction, Platform platform) {
  const SendFields& send = instruction.send;
  MessagePlan& plan = instruction.plan.message;
  const DataMessage& message = plan.data;
  const bool writes = message.operation == DataOperation::Store;
  if (send.descriptor_in_register || send.extended_descriptor_in_register || send.end_of_thread ||
      !is_common(message) || message.address_registers > send.source0_length ||
      (!writes && instruction.destination.is_null())) {
    return nullptr;
  }
  const unsigned grf_bytes = eu::grf_bytes(platform);
  const unsigned block_registers =
      (message.slots * message.register_bytes + grf_bytes - 1) / grf_bytes;
  plan.components = static_cast<std::uint8_t>(std::bit_width(message.component_mask));
  plan.block_bytes = static_cast<std::uint16_t>(block_registers * grf_bytes);
  plan.extent = static_cast<std::uint16_t>(plan.components * message.memory_bytes);
  const unsigned registers = block_registers * plan.components;
  const unsigned stored = plan.source1_length != 0
                              ? plan.source1_length
                              : send.source0_length - message.address_registers;
  if (registers > (writes ? stored : send.response_length)) return nullptr;
  if (message.model == AddressModel::Flat && message.address_bytes == 8) {
    return of_size<std::uint64_t>(message);
  }
  if (message.model == AddressModel::Slm && message.address_bytes == 4) {
    return of_size<std::uint32_t>(message);
  }
  return nullptr;
}

}  // namespace xesim::eu
