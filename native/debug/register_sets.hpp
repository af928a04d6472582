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
  FlowControl = 13,
};

inline constexpr std::size_t kRegisterTypes = 14;  // one more than the largest

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

// Where a thread's registers say how many GRF registers it has, and how to read it there: cr0.0
// of a thread on Xe-HPG and Xe-HPC, sr0.1 on Xe2.
struct GrfMode {
  RegisterType type;
  std::uint32_t dword;      // of register 0 of the set
  std::uint32_t large;      // bits that are all set in a thread with 256 registers
};
[[nodiscard]] const GrfMode& grf_mode(eu::Platform platform);
// `value`: the dword that grf_mode() names.
[[nodiscard]] std::uint32_t thread_grf_count(const GrfMode& mode, std::uint32_t value);

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
