// A launch that runs, frozen as plain data: threads, work-groups, barriers, shared local memory,
// the dispatcher's and the scheduler's place, all of global memory. And those data as bytes.
//
// Format, little endian, version 2: the header { "XESIMSNP", u32 version, u32 bytes of a thread's
// state, u64 bytes of the body, u64 FNV-1a of the body }, then the members of Snapshot in their
// order. Vectors and strings have a u64 count in front. Registers, shared local memory and allocations
// are cut into pages, and these into blocks of 64 bytes: a byte for each says whether it has anything
// but zeroes, and only those that have follow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/dispatcher_state.hpp"
#include "device/frozen_bytes.hpp"
#include "device/launch.hpp"
#include "device/memory_image.hpp"
#include "device/scheduler.hpp"

namespace xesim::device {

// Where the executor is between two instructions.
struct ExecutorState {
  std::uint64_t launch = 0;               // fingerprint() of what runs
  std::uint64_t instructions = 0;         // since the device was made
  bool in_round = false;
  bool progress = false;                  // of the round
  bool stopped = false;                   // a thread, in the round
  std::vector<Turn> turn;                 // the one that goes on, if any
};

struct Snapshot {
  std::string device;                     // Topology::key
  ExecutorState executor;
  Scheduler::State scheduler;
  DispatcherState dispatcher;
  std::vector<FrozenBytes> contents;      // Dispatcher::contents()
  MemoryImage memory;
};

[[nodiscard]] std::vector<std::byte> encode(const Snapshot& snapshot);
// One line when the bytes are not those of a snapshot: truncated, changed, of another version.
[[nodiscard]] std::variant<Snapshot, std::string> decode(std::span<const std::byte> bytes);

// Says of two launches whether they are the same work on the same data.
[[nodiscard]] std::uint64_t fingerprint(const KernelLaunch& launch);

// FNV-1a over bytes; `seed` continues an earlier one.
inline constexpr std::uint64_t kFingerprintSeed = 0xCBF29CE484222325;
[[nodiscard]] std::uint64_t fingerprint(std::span<const std::byte> bytes,
                                        std::uint64_t seed = kFingerprintSeed);

}  // namespace xesim::device
