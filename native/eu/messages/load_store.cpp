// Loads and stores: gathers, scatters and blocks.
#include <bit>
#include <cstring>

#include "eu/messages/context.hpp"
#include "eu/messages/memory_element.hpp"
#include "eu/operands/predication.hpp"

namespace xesim::eu {
namespace {

constexpr unsigned kHighHalfShift = 16;  // bits: d16u32h

// Calls `visit(component, block)`: the component's number, and that of its block of registers.
template <typename Visitor>
inline void for_each_component(std::uint64_t mask, Visitor visit) {
  for (unsigned block = 0; mask != 0; mask &= mask - 1, ++block) {
    visit(static_cast<unsigned>(std::countr_zero(mask)), block);
  }
}

// From the address in a payload to bytes from the start of the surface or space.
std::uint64_t offset_of(const DataMessage& message, std::uint64_t address) {
  return (address << message.address_shift & message.offset_mask) +
         static_cast<std::uint64_t>(std::int64_t{message.immediate_offset});
}

template <typename Address>
void read_offsets(const std::byte* payload, const DataMessage& message, LaneOffsets& offsets) {
  for (unsigned slot = 0; slot < message.slots; ++slot) {
    Address address;
    std::memcpy(&address, payload + slot * sizeof address, sizeof address);
    offsets[slot] = offset_of(message, address);
  }
}

template <typename Memory, typename Register>
void load_component(const LaneHosts& hosts, std::uint32_t slots, unsigned offset, unsigned shift,
                    std::byte* block) {
  for_each_slot(slots, [&](unsigned slot) {
    const auto element = load_element<Memory>(hosts[slot] + offset);
    const auto value = static_cast<Register>(static_cast<Register>(element) << shift);
    std::memcpy(block + slot * sizeof value, &value, sizeof value);
  });
}

template <typename Memory, typename Register>
void store_component(const LaneHosts& hosts, std::uint32_t slots, unsigned offset, unsigned shift,
                     const std::byte* block) {
  for_each_slot(slots, [&](unsigned slot) {
    Register value;
    std::memcpy(&value, block + slot * sizeof value, sizeof value);
    const auto element = static_cast<Memory>(value >> shift);
    store_element(hosts[slot] + offset, element);
  });
}

using LoadComponent = void (*)(const LaneHosts&, std::uint32_t, unsigned, unsigned, std::byte*);
using StoreComponent = void (*)(const LaneHosts&, std::uint32_t, unsigned, unsigned,
                                const std::byte*);
struct Transfer {
  LoadComponent load;
  StoreComponent store;
};

template <typename Memory, typename Register>
constexpr Transfer kTransfer{load_component<Memory, Register>, store_component<Memory, Register>};

Transfer transfer(const DataMessage& message) {
  const bool widened = message.register_bytes == 4;
  switch (message.memory_bytes) {
    case 1:
      return widened ? kTransfer<std::uint8_t, std::uint32_t>
                     : kTransfer<std::uint8_t, std::uint8_t>;
    case 2:
      return widened ? kTransfer<std::uint16_t, std::uint32_t>
                     : kTransfer<std::uint16_t, std::uint16_t>;
    case 4:
      return kTransfer<std::uint32_t, std::uint32_t>;
    default:
      return kTransfer<std::uint64_t, std::uint64_t>;
  }
}

void notify(const MessageContext& context, TargetMemory& memory, std::uint64_t offset,
            std::uint32_t size, bool write, unsigned lane) {
  context.observer->memory(context.thread,
                           {.kind = write ? AccessKind::Write : AccessKind::Read,
                            .space = memory.space(),
                            .address = memory.address(offset),
                            .size = size,
                            .lane = static_cast<std::uint8_t>(lane)});
}

// Whether there is an observer, and it wants to know of any of the lanes.
bool is_observed(const MessageContext& context, const TargetMemory& memory,
                 const DataMessage& message, const LaneOffsets& offsets, std::uint32_t slots,
                 bool write) {
  const auto extent = static_cast<std::uint32_t>(std::bit_width(message.component_mask)) *
                      message.memory_bytes;
  if (context.observer == nullptr || context.watch == nullptr || extent > AccessFilter::kReach) {
    return context.observer != nullptr;
  }
  bool may = false;
  for_each_slot(slots, [&](unsigned slot) {
    may |= context.watch->may_touch(memory.space(), write, memory.address(offsets[slot]));
  });
  return may;
}

// One observed access for each run of neighbouring components of each lane.
void notify_lanes(const MessageContext& context, TargetMemory& memory, const DataMessage& message,
                  const LaneOffsets& offsets, std::uint32_t slots, bool write) {
  for_each_slot(slots, [&](unsigned slot) {
    for (std::uint64_t mask = message.component_mask; mask != 0;) {
      const int first = std::countr_zero(mask);
      const int count = std::countr_one(mask >> first);
      const std::uint64_t offset =
          offsets[slot] + static_cast<std::uint64_t>(first) * message.memory_bytes;
      notify(context, memory, offset, static_cast<std::uint32_t>(count) * message.memory_bytes,
             write, context.instruction.channel_offset + slot);
      const int end = first + count;
      mask = end == 64 ? 0 : mask >> end << end;
    }
  });
}

// A message some of whose elements are out of bounds, straddle windows, or have no memory at all.
MessageResult transfer_elements(const MessageContext& context, TargetMemory& memory,
                                const DataMessage& message, const LaneOffsets& offsets,
                                std::uint32_t slots, bool write) {
  MessageResult result;
  for_each_slot(slots, [&](unsigned slot) {
    for_each_component(message.component_mask, [&](unsigned component, unsigned) {
      if (!result.fault.present) {
        memory.accessible(offsets[slot] + component * message.memory_bytes, message.memory_bytes,
                          write, result.fault);
        result.fault.lane = static_cast<std::uint8_t>(context.instruction.channel_offset + slot);
      }
    });
  });
  if (result.fault.present) {
    result.outcome = MessageOutcome::PageFault;
    return result;
  }
  if (is_observed(context, memory, message, offsets, slots, write)) {
    notify_lanes(context, memory, message, offsets, slots, write);
  }
  const unsigned block_bytes = block_registers(context, message) * grf_bytes(context.platform);
  const unsigned shift = message.high_half ? kHighHalfShift : 0;
  for_each_component(message.component_mask, [&](unsigned component, unsigned block) {
    for_each_slot(slots, [&](unsigned slot) {
      const std::uint64_t offset = offsets[slot] + component * message.memory_bytes;
      const std::size_t position = std::size_t{block} * block_bytes + slot * message.register_bytes;
      std::uint64_t value = 0;
      if (write) {
        std::memcpy(&value, context.data(message) + position, message.register_bytes);
        value >>= shift;
        memory.write(offset, &value, message.memory_bytes);
      } else {
        memory.read(offset, &value, message.memory_bytes);
        value <<= shift;
        std::memcpy(context.response() + position, &value, message.register_bytes);
      }
    });
  });
  return result;
}

// Why the addresses with these bits set in any of them are refused; null if they are not.
const char* misalignment(const DataMessage& message, std::uint64_t bits) {
  if ((bits & (message.alignment - 1u)) == 0) {
    return nullptr;
  }
  switch (message.alignment) {
    case 2:
      return "address that is not a multiple of 2 bytes";
    case 4:
      return "address that is not a multiple of 4 bytes";
    case 8:
      return "address that is not a multiple of 8 bytes";
    default:
      return "address that is not a multiple of 16 bytes";
  }
}

const char* misalignment(const TargetMemory& memory, const DataMessage& message,
                         const LaneOffsets& offsets, std::uint32_t slots) {
  std::uint64_t bits = 0;
  for_each_slot(slots, [&](unsigned slot) { bits |= memory.address(offsets[slot]); });
  return misalignment(message, bits);
}

unsigned component_count(const DataMessage& message) {
  return message.component_mask == 1
             ? 1
             : static_cast<unsigned>(std::popcount(message.component_mask));
}

MessageResult transfer_lanes(const MessageContext& context, TargetMemory& memory,
                             const DataMessage& message) {
  const bool write = message.operation == DataOperation::Store;
  const unsigned registers = block_registers(context, message) * component_count(message);
  if (write ? registers > context.data_length(message)
            : registers > context.send.response_length()) {
    return unsupported(context.send, "register payload shorter than its data");
  }
  const std::uint32_t slots = active_slots(context, message);
  if (slots == 0) {
    return {};
  }
  const LaneOffsets offsets = read_lane_offsets(context, message);
  if (const char* const problem = misalignment(memory, message, offsets, slots)) {
    return unsupported(context.send, problem);
  }
  const auto extent = static_cast<std::uint32_t>(std::bit_width(message.component_mask)) *
                      message.memory_bytes;
  LaneHosts hosts;
  if (!memory.resolve(offsets, slots, extent, write, hosts)) {
    return transfer_elements(context, memory, message, offsets, slots, write);
  }
  if (is_observed(context, memory, message, offsets, slots, write)) {
    notify_lanes(context, memory, message, offsets, slots, write);
  }
  const unsigned block_bytes = block_registers(context, message) * grf_bytes(context.platform);
  const unsigned shift = message.high_half ? kHighHalfShift : 0;
  const Transfer transfer_component = transfer(message);
  for_each_component(message.component_mask, [&](unsigned component, unsigned block) {
    const unsigned offset = component * message.memory_bytes;
    if (write) {
      transfer_component.store(hosts, slots, offset, shift,
                               context.data(message) + std::size_t{block} * block_bytes);
    } else {
      transfer_component.load(hosts, slots, offset, shift,
                              context.response() + std::size_t{block} * block_bytes);
    }
  });
  return {};
}

std::uint64_t read_block_offset(const MessageContext& context, const DataMessage& message) {
  std::uint64_t address = 0;
  std::memcpy(&address, context.source0() + message.address_start, message.address_bytes);
  return offset_of(message, address);
}

// Surfaces are checked for each dword: a block may reach over the end of one.
constexpr std::uint32_t kBlockElement = 4;  // bytes

// Only the dwords of lanes that are enabled.
MessageResult transfer_dwords(const MessageContext& context, TargetMemory& memory,
                              const DataMessage& message, std::uint64_t offset) {
  const bool write = message.operation == DataOperation::Store;
  MessageResult result;
  for_each_slot(context.slots, [&](unsigned slot) {
    if (!result.fault.present) {
      memory.accessible(offset + slot * kBlockElement, kBlockElement, write, result.fault);
      result.fault.lane = static_cast<std::uint8_t>(context.instruction.channel_offset + slot);
    }
  });
  if (result.fault.present) {
    result.outcome = MessageOutcome::PageFault;
    return result;
  }
  for_each_slot(context.slots, [&](unsigned slot) {
    const unsigned done = slot * kBlockElement;
    if (context.observer != nullptr) {
      notify(context, memory, offset + done, kBlockElement, write,
             context.instruction.channel_offset + slot);
    }
    if (write) {
      memory.write(offset + done, context.data(message) + message.block_register_start + done,
                   kBlockElement);
    } else {
      memory.read(offset + done, context.response() + message.block_register_start + done,
                  kBlockElement);
    }
  });
  return result;
}

MessageResult transfer_block(const MessageContext& context, TargetMemory& memory,
                             const DataMessage& message) {
  const bool write = message.operation == DataOperation::Store;
  const unsigned registers =
      registers_for(context.platform, message.block_register_start + message.block_bytes);
  if (write ? registers > context.data_length(message)
            : registers > context.send.response_length()) {
    return unsupported(context.send, "register payload shorter than its data");
  }
  const std::uint64_t offset = read_block_offset(context, message);
  if (const char* const problem = misalignment(message, memory.address(offset))) {
    return unsupported(context.send, problem);
  }
  const std::uint32_t bytes = message.block_bytes;
  const unsigned lanes = context.instruction.execution_size;
  if (message.block_is_masked && bytes == lanes * kBlockElement &&
      context.slots != lane_mask(lanes)) {
    return transfer_dwords(context, memory, message, offset);
  }
  std::byte* const host = memory.resolve(offset, bytes, write);
  MessageResult result;
  for (std::uint32_t done = 0; host == nullptr && done < bytes; done += kBlockElement) {
    const std::uint32_t part = std::min(kBlockElement, bytes - done);
    if (!memory.accessible(offset + done, part, write, result.fault)) {
      result.outcome = MessageOutcome::PageFault;
      return result;
    }
  }
  if (context.observer != nullptr) {
    notify(context, memory, offset, bytes, write, 0);
  }
  if (write) {
    const std::byte* const data = context.data(message) + message.block_register_start;
    if (host != nullptr) {
      store_block(host, data, bytes);
      return result;
    }
    for (std::uint32_t done = 0; done < bytes; done += kBlockElement) {
      memory.write(offset + done, data + done, std::min(kBlockElement, bytes - done));
    }
    return result;
  }
  std::byte* const response = context.response() + message.block_register_start;
  if (host != nullptr) {
    load_block(response, host, bytes);
    return result;
  }
  for (std::uint32_t done = 0; done < bytes; done += kBlockElement) {
    memory.read(offset + done, response + done, std::min(kBlockElement, bytes - done));
  }
  return result;
}

}  // namespace

LaneOffsets read_lane_offsets(const MessageContext& context, const DataMessage& message) {
  LaneOffsets offsets;
  const std::byte* const payload = context.source0() + message.address_start;
  if (message.order == AddressOrder::Strided) {
    std::uint64_t base = 0;
    std::uint32_t pitch = 0;  // bytes, in the third dword of the payload
    std::memcpy(&base, payload, message.address_bytes);
    std::memcpy(&pitch, payload + 8, sizeof pitch);
    for (unsigned slot = 0; slot < message.slots; ++slot) {
      offsets[slot] = offset_of(message, base + std::uint64_t{slot} * pitch);
    }
  } else if (message.address_bytes == 8) {
    read_offsets<std::uint64_t>(payload, message, offsets);
  } else if (message.address_bytes == 4) {
    read_offsets<std::uint32_t>(payload, message, offsets);
  } else {
    read_offsets<std::uint16_t>(payload, message, offsets);
  }
  return offsets;
}

MessageResult execute_load_store(const MessageContext& context, const DataMessage& message) {
  if (context.slots == 0) {
    return {};
  }
  if (message.operation == DataOperation::Load && context.instruction.destination.is_null()) {
    return {};  // a prefetch: no fault, no data
  }
  TargetMemory memory(message, context.environment, context.windows);
  if (memory.unsupported() != nullptr) {
    return unsupported(context.send, memory.unsupported());
  }
  return message.order == AddressOrder::Block ? transfer_block(context, memory, message)
                                              : transfer_lanes(context, memory, message);
}

}  // namespace xesim::eu
