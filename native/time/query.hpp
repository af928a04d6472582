// What is looked for in a launch, and what is found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/topology.hpp"

namespace xesim::time {

// As the kinds of xesim_debug_find_t (driver/xesim_debug_extension.h).
namespace kind {
inline constexpr std::uint32_t kExecute = 1;
inline constexpr std::uint32_t kMemoryWrite = 2;
inline constexpr std::uint32_t kMemoryRead = 4;
inline constexpr std::uint32_t kRegisterWrite = 8;
inline constexpr std::uint32_t kBegin = 16;
inline constexpr std::uint32_t kEnd = 32;
inline constexpr std::uint32_t kLocalWrite = 64;
inline constexpr std::uint32_t kLocalRead = 128;
inline constexpr std::uint32_t kAll = 255;
}  // namespace kind

enum class Space : std::uint32_t {
  Instruction,   // global address
  Global,
  Local,         // offset in the shared local memory of the thread's group
  Registers,     // offset in eu::ThreadState
};

struct Range {
  Space space = Space::Global;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Query {
  std::uint32_t kinds = kind::kExecute;
  std::vector<Range> ranges;             // of a kind without ranges in its space: anywhere
  device::ThreadId threads{device::ThreadId::kAny, device::ThreadId::kAny, device::ThreadId::kAny,
                           device::ThreadId::kAny};
  std::uint32_t lanes = 0;               // one of these acts; 0: any
  bool changes_only = false;             // of writes: that change something
  bool backward = false;                 // the latest first
  std::uint64_t first = 0;               // times of instructions: from the first
  std::uint64_t end = 0;                 // to before this one
  std::size_t limit = 1;                 // hits
};

struct Hit {
  static constexpr std::size_t kValueBytes = 64;
  std::uint64_t time = 0;                // of the state before the instruction
  std::uint64_t instruction = 0;         // global address
  device::ThreadId thread;
  std::array<std::uint32_t, 3> group{};
  std::uint32_t kinds = 0;               // what it meets
  std::uint32_t lanes = 0;               // that acted
  // Of an access, the part that lies in a range: that of the first lane that has one.
  Space space = Space::Instruction;      // of the range; Instruction: there is no access
  std::uint64_t address = 0;
  std::uint32_t size = 0;                // bytes
  std::uint32_t lane = 0;
  std::array<std::byte, kValueBytes> old_value{};   // the first `size` of them
  std::array<std::byte, kValueBytes> new_value{};
};

}  // namespace xesim::time
