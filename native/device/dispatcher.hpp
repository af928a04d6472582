// Places the work-groups of launches on the hardware threads of the device, as the thread
// dispatcher does. Several launches can be there when each has subslices of its own: those of its tile.
// A group goes to one subslice that has enough free threads and shared local memory, and gets its
// lowest free threads in ordinal order. What groups leave is filled again by refill(), so that where a
// group goes does not depend on which of two threads ends first.
//
// Where one thread of the host executes the launch, that is all. Where several do, each takes a subslice
// to itself for a time (parallel_run.hpp): a subslice and its threads have no memory in common with
// others here but the number of the next group.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "device/dispatched_launch.hpp"
#include "device/dispatcher_slot.hpp"
#include "device/dispatcher_state.hpp"
#include "device/frozen_bytes.hpp"
#include "device/hardware_thread.hpp"
#include "device/launch.hpp"
#include "device/memory.hpp"
#include "device/memory_view.hpp"
#include "device/sampler_state.hpp"
#include "device/surface_state.hpp"
#include "device/topology.hpp"
#include "device/work_group.hpp"

namespace xesim::device {

class Dispatcher {
 public:
  // Threads find global memory through `view`. Everything must outlive the dispatcher.
  Dispatcher(const Topology& topology, Memory& memory, MemoryView& view,
             const SurfaceHeap& surfaces, const SamplerHeap& samplers);
  ~Dispatcher();

  // Whether no other launch has subslices that `launch` wants.
  [[nodiscard]] bool has_place_for(const KernelLaunch& launch) const;
  // Takes `launch`, which must outlive its stay and has_place_for(); refill() or place() place its first
  // groups. One line when a group can never be placed.
  std::variant<DispatchedLaunch*, std::string> begin(const KernelLaunch& launch);
  // The same for a launch that was begun before, whose payload was at `payload`: nothing is allocated,
  // and nothing written. It is alone from then on.
  void begin_again(const KernelLaunch& launch, std::uint64_t payload);

  // Drops what of the launch is resident and not yet placed.
  void abandon(DispatchedLaunch& launch);
  // Likewise, and the launch itself: its subslices are free.
  void end(DispatchedLaunch& launch);

  // Whether every group of the launch has ended.
  [[nodiscard]] bool finished(const DispatchedLaunch& launch) const;

  // The launch that is there by itself; null when there is none, or several.
  [[nodiscard]] DispatchedLaunch* alone() const {
    return launches_.size() == 1 ? launches_.front().get() : nullptr;
  }
  [[nodiscard]] const std::vector<std::unique_ptr<DispatchedLaunch>>& launches() const {
    return launches_;
  }
  // That `thread` is of, which is resident.
  [[nodiscard]] DispatchedLaunch& launch_of(const HardwareThread& thread) const;

  // The first ordinal from this one on that has a resident thread; nothing after the last one.
  [[nodiscard]] std::optional<std::uint32_t> next_resident(std::uint32_t ordinal) const;
  // The resident thread of this ordinal, or null.
  [[nodiscard]] HardwareThread* at(std::uint32_t ordinal) const;
  // Whether this ordinal has a resident thread that is Runnable.
  [[nodiscard]] bool runnable(std::uint32_t ordinal) const;

  // What the execution unit needs to run `thread`.
  [[nodiscard]] eu::ThreadEnvironment& environment(const HardwareThread& thread);

  // Frees the slot of a thread that ended, and takes it out of its group.
  void retire(HardwareThread& thread);

  // Places further groups where retired ones left room; true if there were any.
  bool refill();

  // The state of the launch that is there alone(), as it must be for these four, and the bytes that
  // belong to it: the registers (eu::ThreadState) of each thread that has entered its kernel, by
  // ordinal, then the shared local memory of each group, in the state's order. The spans are valid until
  // a thread or a group comes or goes.
  [[nodiscard]] DispatcherState state() const;
  [[nodiscard]] std::vector<std::span<std::byte>> contents();
  // Whether these are a state and contents that this launch can have; if not, a line says why.
  [[nodiscard]] std::optional<std::string> check(const DispatcherState& state,
                                                 const std::vector<FrozenBytes>& contents) const;
  // After check(), or of what this launch had.
  void restore(const DispatcherState& state, const std::vector<FrozenBytes>& contents);

  // Of all launches.
  [[nodiscard]] std::uint64_t group_total() const;
  // The subslices that launches have, as positions over all slices: from the first to before
  // the second. Some between may have none.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> subslices() const;
  // What several threads of the host may do, each to a subslice of its own: places up to `count`
  // further groups there; false if not one has room, or there is none.
  bool place(std::uint32_t subslice, std::size_t count);
  // The groups of a subslice that have threads.
  [[nodiscard]] const std::vector<WorkGroup*>& groups(std::uint32_t subslice) const {
    return subslices_[subslice].groups;
  }
  // Whether the launch on this subslice has ended, while others are there.
  [[nodiscard]] bool ended_before_others(std::uint32_t subslice) const;
  // at() of a thread that is known to be resident.
  HardwareThread& enter(const HardwareThread& thread) const;

  // Threads that were ever placed: changes whenever a slot has another thread.
  [[nodiscard]] std::uint64_t placements() const;

 private:
  struct Room {
    std::uint32_t threads = 0;
    std::uint32_t slm = 0;
    std::uint32_t barriers = 0;
  };
  // On cache lines of its own, for host threads that use neighbouring ones.
  struct alignas(64) Subslice {
    DispatchedLaunch* launch = nullptr;    // that has it
    Room room;
    bool has_new_room = false;             // since the last refill()
    std::uint64_t placements = 0;          // threads that were ever placed
    std::vector<std::uint64_t> resident;   // a bit for each thread
    std::vector<WorkGroup*> groups;        // that have threads
    std::vector<WorkGroup*> free_groups;
    std::vector<std::unique_ptr<WorkGroup>> all_groups;  // that were ever needed at once
  };
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> subslices_of(
      const KernelLaunch& launch) const;
  // Takes what is resident off a subslice, which then is that of `launch`, or nobody's.
  void reset(Subslice& subslice, DispatchedLaunch* launch) const;
  // What a launch that passed the checks of begin() starts with.
  DispatchedLaunch& start(const KernelLaunch& launch, std::unique_ptr<ThreadPayload> payload);
  // Calls `visit(slot, number of its group, whether that is the group's first thread)` for each resident
  // thread, by ordinal. Groups are numbered as their first threads come.
  template <class Visit>
  void for_each_resident(Visit visit) const;
  [[nodiscard]] Room empty_room(bool large_grf) const;
  static WorkGroup& take_group(Subslice& subslice);
  [[nodiscard]] static bool fits(const Subslice& subslice);
  bool place_next(std::uint32_t subslice);
  [[nodiscard]] DispatcherSlot& slot_of(const HardwareThread& thread) const;
  HardwareThread& place_thread(WorkGroup& group, std::uint32_t index, std::uint32_t ordinal);
  [[nodiscard]] bool usable(const DispatchedLaunch& launch, std::uint32_t ordinal) const;
  [[nodiscard]] std::uint32_t threads_per_subslice() const {
    return topology_.eus_per_subslice * topology_.threads_per_eu;
  }
  [[nodiscard]] bool is_resident(std::uint32_t ordinal) const;

  const Topology& topology_;
  Memory& memory_;
  MemoryView& view_;
  const SurfaceHeap& surfaces_;
  const SamplerHeap& samplers_;
  std::vector<std::unique_ptr<DispatchedLaunch>> launches_;
  std::vector<Subslice> subslices_;
  std::vector<std::unique_ptr<DispatcherSlot>> slots_;   // by ordinal; made on first use, then kept
};

}  // namespace xesim::device
