// What a hardware thread starts with: the payload in memory that all groups of a launch share, and
// the registers (reference: Xe ISA, r0 header and thread payload).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/hardware_thread.hpp"
#include "device/launch.hpp"
#include "device/memory.hpp"
#include "device/topology.hpp"

namespace xesim::device {

// The payload block of a launch in the general state heap: cross-thread data that does not fit the
// inline register (after the implicit arguments, if there are any), then the local ids of each thread of a group. Lives as long as the launch.
class ThreadPayload {
 public:
  // Null when the heap is full.
  static std::unique_ptr<ThreadPayload> create(Memory& memory, const Topology& topology,
                                               const KernelLaunch& launch);
  // That of a launch that ran before, as it was at `address`; for enter() alone.
  static std::unique_ptr<ThreadPayload> at(Memory& memory, const Topology& topology,
                                           const KernelLaunch& launch, std::uint64_t address);
  ~ThreadPayload();
  ThreadPayload(const ThreadPayload&) = delete;
  ThreadPayload& operator=(const ThreadPayload&) = delete;

  // Hardware threads that a group of `launch` takes.
  [[nodiscard]] static std::uint32_t threads_per_group(const KernelLaunch& launch);

  [[nodiscard]] std::uint64_t address() const { return address_; }

  // The state in which `thread`, whose place in the work is set, enters the kernel.
  void enter(HardwareThread& thread) const;

 private:
  ThreadPayload(Memory& memory, const Topology& topology, const KernelLaunch& launch,
                std::uint64_t address);
  void write() const;
  void write_implicit_arguments(std::byte* table_place) const;
  void write_local_ids(std::byte* destination, std::uint32_t thread) const;

  Memory& memory_;
  const Topology& topology_;
  const KernelLaunch& launch_;
  std::uint64_t address_;
  bool allocated_ = false;         // by this one
  std::uint32_t threads_;          // of a group
  std::uint32_t last_lanes_;       // lanes of the last thread of a group
};

// sr0.0 of a hardware thread. Kernels squeeze the reserved bits out to number their private memory.
//   Xe-HPG: thread [2:0], EU [5:4] and [8:7], subslice [10:9], slice [13:11]; 3 and 6 reserved.
//   Xe-HPC: thread [2:0], EU [5:4] and [8], subslice [14:9]; 3, 6 and 7 reserved.
//   Xe2:    thread [2:0], EU [6:4], subslice [9:8], slice [15:11]; 3, 7 and 10 reserved. Kernels
//           take the subslice from msg0.0[7:0], counted over all slices.
[[nodiscard]] std::uint32_t state_register_identity(const Topology& topology, const ThreadId& id);

}  // namespace xesim::device
