// One send under way: the thread, the payload and what it may reach.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "eu/isa/data_message.hpp"
#include "eu/messages/decode.hpp"
#include "eu/messages/memory.hpp"
#include "eu/messages/result.hpp"
#include "eu/thread/access_watch.hpp"
#include "eu/thread/observer.hpp"
#include "eu/thread/slots.hpp"

namespace xesim::eu {

struct MessageContext {
  Platform platform;
  ThreadState& thread;
  const Instruction& instruction;
  const SendDescriptors& send;
  // Lanes by payload slot: bit n is lane channel_offset + n, whose data are element n of a payload.
  std::uint32_t slots;
  ThreadEnvironment& environment;
  WindowCache& windows;
  Observer* observer;
  const AccessWatch* watch;  // the observer, if it is a watch: it says which accesses it need not see
  std::uint32_t source1_length;  // GRFs

  [[nodiscard]] std::byte* registers(const Operand& operand) const {
    return thread.grf.data() + std::size_t{operand.register_number} * grf_bytes(platform);
  }
  [[nodiscard]] const std::byte* source0() const { return registers(instruction.source[0]); }
  [[nodiscard]] std::byte* response() const { return registers(instruction.destination); }

  // GRFs of the payload that follow header and addresses, and where they are: the second
  // source if there is one, else the rest of the first.
  [[nodiscard]] std::uint32_t data_length(const DataMessage& message) const {
    if (source1_length != 0) {
      return source1_length;
    }
    const std::uint32_t length = send.source0_length();
    return length > message.address_registers ? length - message.address_registers : 0;
  }
  [[nodiscard]] const std::byte* data(const DataMessage& message) const {
    return source1_length != 0
               ? registers(instruction.source[1])
               : source0() + std::size_t{message.address_registers} * grf_bytes(platform);
  }
};

// GRFs that the thread has.
[[nodiscard]] inline std::uint32_t register_count(const ThreadState& thread) {
  return (thread.control[0] & cr0::kLargeGrf) != 0 ? 256 : 128;
}

// Byte offsets of the lanes of a PerLane or Strided message, in its surface or space.
[[nodiscard]] LaneOffsets read_lane_offsets(const MessageContext& context,
                                            const DataMessage& message);

// GRFs that `bytes` bytes take.
[[nodiscard]] inline unsigned registers_for(Platform platform, unsigned bytes) {
  // A shift instead of a division: the size is a power of two.
  const unsigned size = grf_bytes(platform);
  return (bytes + size - 1) >> std::countr_zero(size);
}

// GRFs that one component of all slots takes.
[[nodiscard]] inline unsigned block_registers(const MessageContext& context,
                                              const DataMessage& message) {
  return registers_for(context.platform, message.slots * message.register_bytes);
}

// The payload's slots of a PerLane or Strided message in which something is to be done.
[[nodiscard]] inline std::uint32_t active_slots(const MessageContext& context,
                                                const DataMessage& message) {
  return message.slots >= 32 ? context.slots : context.slots & ((1u << message.slots) - 1);
}

[[nodiscard]] MessageResult unsupported(const SendDescriptors& send, const char* reason);

// The kinds of messages. All: nothing has been written unless the outcome is Done or EndOfThread.
[[nodiscard]] MessageResult execute_load_store(const MessageContext& context,
                                               const DataMessage& message);
[[nodiscard]] MessageResult execute_block2d(const MessageContext& context,
                                            const DataMessage& message);
[[nodiscard]] MessageResult execute_atomic(const MessageContext& context,
                                           const DataMessage& message);
// One atomic operation on 32 bits at `host`, a multiple of their size: the value before, but for the
// operation that gives the one after.
[[nodiscard]] std::uint32_t update_dword(AtomicOperation operation, std::byte* host,
                                         std::uint32_t first, std::uint32_t second);
[[nodiscard]] MessageResult execute_gateway(const MessageContext& context);

}  // namespace xesim::eu
