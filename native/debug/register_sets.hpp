// The register sets of each platform as program debug shows them: data, used by both sides.
#pragma once

#include <level_zero/zet_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "device/topology.hpp"

namespace xesim::debug {

// zet_debug_regset_type_intel_gpu_t: not in every version of the API's headers.
enum class RegisterType : std::uint32_t {
  Grf = 1,
  Address = 2,
  Flag = 3,
  ChannelEnable = 4,
  State = 5,
  Control = 6,
  ThreadDependency = 7,
  Accumulator = 8,
  Mme = 9,
  StackPointer = 10,
  StateBaseAddress = 11,
  Debug = 12,
};

inline constexpr std::size_t kRegisterTypes = 13;  // one more than the largest

struct RegisterSet {
  RegisterType type;
  std::uint32_t count;      // registers, as the device announces them
  std::uint32_t limit;      // registers that can be accessed; more than count for GRF
  std::uint32_t bytes;      // of one register
  bool writeable;
  bool message_registers = false;  // of Mme on Xe2: the save area has those in its place
};

// In the order in which they are announced.
[[nodiscard]] std::span<const RegisterSet> register_sets(eu::Platform platform);

// Null: the platform has no such set.
[[nodiscard]] const RegisterSet* find_register_set(eu::Platform platform, std::uint32_t type);

// What the device announces, whatever the mode of its threads.
inline constexpr std::uint32_t kDeviceGrfCount = 128;

// GRF registers of a thread, from its cr0.0.
[[nodiscard]] std::uint32_t thread_grf_count(std::uint32_t control0);

// The part of a set that goes with every stop.
struct ReadAhead {
  RegisterType type;
  std::uint32_t count;      // registers, from 0
  std::uint32_t bytes;      // of all of them
};
[[nodiscard]] std::span<const ReadAhead> read_ahead_sets(eu::Platform platform);
[[nodiscard]] std::uint32_t read_ahead_bytes(eu::Platform platform);

// As zetDebugGetRegisterSetProperties, with `grf_count` registers in the GRF set.
ze_result_t describe_register_sets(eu::Platform platform, std::uint32_t grf_count,
                                   std::uint32_t* count, zet_debug_regset_properties_t* properties);

}  // namespace xesim::debug
