// Executes send instructions: what a thread asks of the shared functions (memory, gateway, sampler).
#pragma once

#include <cstdint>
#include <string>

#include "eu/environment.hpp"
#include "eu/instruction.hpp"
#include "eu/memory_claims.hpp"
#include "eu/observer.hpp"
#include "eu/thread_state.hpp"

namespace xesim::eu {

enum class MessageOutcome : std::uint8_t {
  Done,
  EndOfThread,
  PageFault,     // nothing was written: not memory, not registers
  Unsupported,   // likewise; `report` names the message and its descriptor
};

struct MessageResult {
  MessageOutcome outcome = MessageOutcome::Done;
  PageFault fault;
  std::string report;
};

// Remembers the windows that a run of one thread used last, so that most lanes cost no call of the
// environment. Lives for one ExecutionUnit::run.
struct WindowCache {
  MemoryWindow global[4];
  MemoryWindow slm;
  MemoryWindow scratch;
  unsigned next = 0;
  MemoryClaims* claims = nullptr;  // RunOptions'
};

// `lanes` are those that the message acts for: enabled, predicated, and inside the execution size
// at the channel offset. Advances no ip.
MessageResult execute_send(Platform platform, ThreadState& thread, const Instruction& instruction,
                           std::uint32_t lanes, ThreadEnvironment& environment,
                           WindowCache& windows, Observer* observer);

// Whether the send orders threads: a barrier, an atomic or a fence.
[[nodiscard]] bool synchronises(Platform platform, const ThreadState& thread,
                                const Instruction& instruction);

// The message of a send, as Intel's disassembler names it: "load.ugm.d32.a64.ca.ca", "a64 dword
// gathering read". For traces and reports; descriptors in a0 are read from `thread`.
[[nodiscard]] std::string describe_send(const ThreadState& thread, const Instruction& instruction);

}  // namespace xesim::eu
