// From the descriptors of a send to what the message asks for.
#pragma once

#include <cstdint>
#include <string>

#include "eu/isa/data_message.hpp"
#include "eu/isa/instruction.hpp"
#include "eu/thread/thread_state.hpp"

namespace xesim::eu {

// The descriptors of one send, with those that come from a0 already read.
struct SendDescriptors {
  SharedFunction function = SharedFunction::Null;
  std::uint32_t descriptor = 0;
  std::uint32_t extended = 0;
  bool extended_in_register = false;
  std::uint8_t extended_subregister = 0;  // a0.N, for names
  bool extended_bindless_offset = false;  // ExBSO
  std::uint32_t extended_offset = 0;  // beside a descriptor in a register
  std::uint8_t execution_size = 8;

  [[nodiscard]] std::uint32_t source0_length() const {  // GRFs
    return kMessageLength.of(descriptor);
  }
  [[nodiscard]] std::uint32_t response_length() const { return kResponseLength.of(descriptor); }
};

[[nodiscard]] SendDescriptors read_descriptors(const ThreadState& thread,
                                               const Instruction& instruction);

// Decodes a message to ugm, slm or tgm. Never fails: `unsupported` says what is not executable.
[[nodiscard]] DataMessage decode_lsc(Platform platform, const SendDescriptors& send);

// Decodes a message to dc0 or dc1; likewise.
[[nodiscard]] DataMessage decode_hdc(Platform platform, const SendDescriptors& send);

// The message as Intel's disassembler names it ("load.ugm.d32.a64", "a64 dword gathering read"),
// for reports.
[[nodiscard]] std::string message_name(const SendDescriptors& send);

}  // namespace xesim::eu
