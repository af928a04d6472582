// What the handlers of one ExecutionUnit::run share: the thread, what surrounds it, and which of
// its channels execute. ThreadState stays the truth between runs; see synchronise().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "eu/decode/code_cache.hpp"
#include "eu/isa/instruction.hpp"
#include "eu/thread/access_watch.hpp"
#include "eu/thread/environment.hpp"
#include "eu/thread/observer.hpp"
#include "eu/thread/thread_state.hpp"
#include "eu/thread/window_cache.hpp"

namespace xesim::eu {

struct ExecutionContext {
  ExecutionContext(Platform platform, ThreadState& thread, ThreadEnvironment& environment,
                   CodeCache& code, Observer* observer);

  Platform platform;
  ThreadState& thread;
  ThreadEnvironment& environment;
  CodeCache& code;
  Observer* observer;                    // of threads and instructions
  Observer* message_observer = nullptr;  // of memory and barriers; null without an observer
  AccessWatch* watch = nullptr;          // RunOptions'
  WindowCache windows;

  unsigned grf_bytes;             // of one register
  unsigned register_count = 128;  // GRFs that the thread may address

  std::uint32_t enabled = 0;      // channels that execute at the ip
  // Lanes that the current instruction writes. Bit 0 is its first lane, whatever its channel
  // offset. For sel, those that are written, and `selected` those that take the first source.
  std::uint32_t lanes = 0;
  std::uint32_t selected = 0;
  // Lanes that have to be computed: the execution size, halved as long as only lanes of the lower
  // half are written, down to kLaneBlock.
  unsigned lane_count = 0;
  std::uint32_t dispatched = 0;    // sr0.2 as of the last look, to notice new channels
  std::uint64_t instructions = 0;  // executed in this run

  bool until_synchronisation = false;  // RunOptions'
  bool goes_on = false;                // likewise

  bool flush_denormals_f64 = false;
  bool flush_denormals_f32 = false;
  bool flush_denormals_f16 = false;
  bool rounded_integers = false;  // floats become integers in the rounding mode, not towards zero

  PageFault fault;
  std::string report;

  [[nodiscard]] std::byte* bytes() { return reinterpret_cast<std::byte*>(&thread); }

  // Channels that are dispatched and not parked, but wait at another address.
  [[nodiscard]] std::uint32_t waiting() const {
    return thread.state[2] & ~thread.parked_channels & ~enabled;
  }

  // True if some waiting channel may wait at `ip`: cheap, and never wrongly false.
  [[nodiscard]] bool may_wait_at(std::uint32_t ip) const {
    return (waiting_filter >> (ip >> 3 & 63) & 1) != 0;
  }

  // Instructions of the thread before the current one.
  [[nodiscard]] std::uint64_t thread_instructions() const {
    return thread.instructions_executed + instructions - synchronised_instructions;
  }

  // Enables the channels that wait at the ip.
  void enable_arrived();

  // Disables `channels`, which will execute again when the ip gets to `ip`.
  void send_channels_to(std::uint32_t channels, std::uint32_t ip);

  // Goes to `ip` with the enabled channels, and enables those that wait there.
  void jump(std::uint32_t ip);

  // After a change of the dispatch mask or of the parked channels.
  void refresh_waiting_filter();

  // After a change of cr0.0: rounding mode and denormals, as the host's arithmetic must do them.
  void apply_control_register();

  // Writes what this object knows better back to the thread: channel_ip of the enabled channels,
  // the count of instructions.
  void synchronise();

 private:
  int host_rounding = -1;            // as of the last fesetround(); none yet
  std::uint64_t waiting_filter = 0;  // bit (ip / 8 mod 64) set for each waiting channel
  std::uint64_t synchronised_instructions = 0;
};

}  // namespace xesim::eu
