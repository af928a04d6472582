// Executes send instructions: what a thread asks of the shared functions (memory, gateway, sampler).
#pragma once

#include <cstdint>
#include <string>

#include "eu/isa/instruction.hpp"
#include "eu/messages/result.hpp"
#include "eu/thread/access_watch.hpp"
#include "eu/thread/observer.hpp"
#include "eu/thread/thread_state.hpp"
#include "eu/thread/window_cache.hpp"

namespace xesim::eu {

// `lanes` are those that the message acts for: enabled, predicated, and inside the execution size
// at the channel offset. Advances no ip.
MessageResult execute_send(Platform platform, ThreadState& thread, const Instruction& instruction,
                           std::uint32_t lanes, ThreadEnvironment& environment,
                           WindowCache& windows, Observer* observer,
                           const AccessWatch* watch = nullptr);

// Whether the send orders threads: a barrier, an atomic or a fence.
[[nodiscard]] bool synchronises(Platform platform, const ThreadState& thread,
                                const Instruction& instruction);

// The message of a send, as Intel's disassembler names it: "load.ugm.d32.a64.ca.ca", "a64 dword
// gathering read". For traces and reports; descriptors in a0 are read from `thread`.
[[nodiscard]] std::string describe_send(const ThreadState& thread, const Instruction& instruction);

}  // namespace xesim::eu
