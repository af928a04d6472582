// The architectural state of one hardware thread: plain data that can be copied, compared and
// stored. Everything that a debugger reads of a thread comes from here, and nothing else of a
// thread survives between two calls of the execution unit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "eu/isa/instruction.hpp"

namespace xesim::eu {

inline constexpr unsigned kMaxLanes = 32;
inline constexpr unsigned kMaxGrfCount = 256;
inline constexpr unsigned kMaxGrfBytes = 64;

// cr0.0 and cr0.1 bits (reference: how program debug sees exceptions).
namespace cr0 {
inline constexpr std::uint32_t kRoundingShift = 4;              // cr0.0[5:4]: 0 RNE 1 RU 2 RD 3 RTZ
inline constexpr std::uint32_t kDenormF64 = 1u << 6;            // cr0.0: keep denormals
inline constexpr std::uint32_t kDenormF32 = 1u << 7;
inline constexpr std::uint32_t kDenormF16 = 1u << 10;
inline constexpr std::uint32_t kRoundedIntegers = 1u << 12;     // of floats; towards zero without
inline constexpr std::uint32_t kLargeGrf = 1u << 13;
inline constexpr std::uint32_t kBreakpointSuppress = 1u << 15;
inline constexpr std::uint32_t kPageFault = 1u << 16;           // cr0.1 from here
inline constexpr std::uint32_t kForceException = 1u << 26;
inline constexpr std::uint32_t kIllegalOpcode = 1u << 28;
inline constexpr std::uint32_t kSoftwareException = 1u << 29;
inline constexpr std::uint32_t kExternalHalt = 1u << 30;
inline constexpr std::uint32_t kBreakpoint = 1u << 31;
}  // namespace cr0

// sr0.1 bits.
namespace sr0 {
inline constexpr std::uint32_t kLargeGrf = 3u << 13;            // Xe2
}  // namespace sr0

inline constexpr unsigned kAccumulatorBytes = 8 * kMaxGrfBytes;

// An accumulator channel is wider than what a register read shows: integer products keep 64 bits.
struct AccumulatorExtension {
  std::array<std::int32_t, kMaxLanes> high{};  // bits 63:32, by 32-bit element of the register
};

// `channel_ip` of a channel that is not dispatched: no instruction has this address.
inline constexpr std::uint32_t kNoInstruction = 0xFFFFFFFFu;

// What fused threads exchange at a dpasw. Two threads of a work-group are fused on Xe-HPG, and each
// reads a part of src2 for both.
struct FusedExchange {
  std::uint32_t waiting = 0;    // 1: the thread waits at a dpasw for the other
  std::uint32_t delivered = 0;  // 1: the other has executed it, and left its part in `part`
  std::array<std::byte, 128> part{};
};

struct ThreadState {
  alignas(64) std::array<std::byte, kMaxGrfCount * kMaxGrfBytes> grf{};
  alignas(64) std::array<std::byte, kAccumulatorBytes> accumulator{};
  std::array<AccumulatorExtension, 8> accumulator_extension{};  // by accumulator register
  alignas(64) std::array<std::byte, 8 * kMaxGrfBytes> mme{};
  std::array<std::uint16_t, 16> address{};      // a0.0 .. a0.15
  std::array<std::uint32_t, 4> flag{};          // f0 .. f3, 32 bits each
  std::array<std::uint32_t, 4> state{};         // sr0.0 .. sr0.3; sr0.2 is the dispatch mask
  std::array<std::uint32_t, 4> control{};       // cr0.0 .. cr0.3; cr0.2: ip of an exception
  std::array<std::uint32_t, 4> notification{};  // n0
  std::array<std::uint32_t, 4> thread_dependency{};
  // msg0, msg1 of Xe2. msg0.0[7:0]: the subslice, counted over all slices.
  std::array<std::uint32_t, 16> message{};
  std::array<std::uint64_t, 2> stack_pointer{};
  std::array<std::uint32_t, 2> debug{};         // dbg0.0, dbg0.1 (start IP of the kernel)
  std::uint32_t ip = 0;                         // byte offset from the instruction base
  // PcIP: where each channel of the dispatch mask waits. A channel is enabled when its entry
  // equals `ip`. Channels that called a subroutine elsewhere, or jumped ahead, hold another value.
  std::array<std::uint32_t, kMaxLanes> channel_ip{};
  // The complement of CallMask: channels that wait for a subroutine that they did not call. They
  // are disabled wherever their channel_ip points, or recursion would wake them in the callee.
  std::uint32_t parked_channels = 0;
  std::uint32_t barrier_pending = 0;            // bit N: signalled barrier N, not yet released
  std::uint32_t barrier_ahead = 0;              // bit N: signalled it again, for the time after
  std::uint64_t instructions_executed = 0;
  FusedExchange fused;

  // The mask of enabled channels at `ip`: what the ce register shows.
  [[nodiscard]] std::uint32_t enabled_channels() const {
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      mask |= static_cast<std::uint32_t>(channel_ip[lane] == ip) << lane;
    }
    return mask & state[2] & ~parked_channels;
  }
};

static_assert(std::is_trivially_copyable_v<ThreadState>);

}  // namespace xesim::eu
