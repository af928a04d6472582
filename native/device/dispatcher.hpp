// Places the work-groups of a launch on the hardware threads of the device, as the thread
// dispatcher does: a group goes to one subslice that has enough free threads and shared local
// memory, and gets its lowest free threads in ordinal order. What groups leave is filled again by
// refill(), so that where a group goes does not depend on which of two threads ends first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/dispatcher_state.hpp"
#include "device/thread_payload.hpp"

namespace xesim::device {

// Hardware threads from one ordinal to before another.
struct OrdinalRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

// A work-group that runs.
struct WorkGroup {
  std::array<std::uint32_t, 3> id{};
  std::uint32_t subslice = 0;              // position over all slices
  std::vector<HardwareThread*> threads;    // null once ended
  std::uint32_t alive = 0;
  std::vector<std::byte> slm;
  std::array<BarrierArrivals, kBarriersPerGroup> arrived{};
  OrdinalRange ordinals;                   // that its threads lie in, not necessarily alone
  bool saved = false;                      // by a DispatcherUndo
};

class Dispatcher {
 public:
  Dispatcher(const Topology& topology, Memory& memory, SurfaceHeap& surfaces,
             SamplerHeap& samplers);
  ~Dispatcher();

  // Takes `launch`, which must outlive it, and places its first groups. One line when a group can
  // never be placed. Nothing may be resident.
  std::optional<std::string> begin(const KernelLaunch& launch);

  // Drops whatever is resident and not yet placed.
  void abandon();

  [[nodiscard]] bool idle() const { return resident_count_ == 0; }

  // The first ordinal from this one on that has a resident thread; nothing after the last one.
  [[nodiscard]] std::optional<std::uint32_t> next_resident(std::uint32_t ordinal) const;
  // The resident thread of this ordinal, or null.
  [[nodiscard]] HardwareThread* at(std::uint32_t ordinal) const;
  // Whether this ordinal has a resident thread that is Runnable.
  [[nodiscard]] bool runnable(std::uint32_t ordinal) const;

  // What the execution unit needs to run `thread`.
  [[nodiscard]] eu::ThreadEnvironment& environment(const HardwareThread& thread);

  // Takes a thread that ended out of its work-group: nobody else's affair.
  void leave_group(const HardwareThread& thread);
  // Frees the slot of a thread that ended, and takes it out of its group.
  void retire(HardwareThread& thread);

  // Places further groups where retired ones left room; true if there were any.
  bool refill();

  // The state of the launch that runs, and whether one is a state that this launch can be in; if
  // not, a line says why. restore() only after check().
  [[nodiscard]] DispatcherState state() const;
  [[nodiscard]] std::optional<std::string> check(const DispatcherState& state) const;
  void restore(const DispatcherState& state);

  // How many threads `subslice` (a position over all slices) has.
  [[nodiscard]] std::uint32_t residents(std::uint32_t subslice) const;
  // Adds those ranges of the ordinals of `subslice` that hold whole work-groups, as small as can be, in order. Nothing but global memory is between them.
  void add_whole_groups(std::uint32_t subslice, std::vector<OrdinalRange>& ranges) const;

  // Threads that were ever placed: changes whenever a slot has another thread.
  [[nodiscard]] std::uint64_t placements() const { return placements_; }

 private:
  friend class DispatcherUndo;
  struct Slot;
  struct Subslice {
    std::uint32_t free_threads = 0;
    std::uint32_t free_slm = 0;
    std::uint32_t free_barriers = 0;
    bool has_new_room = false;             // since the last refill()
    std::vector<WorkGroup*> groups;        // that have threads, by their first ordinal
  };
  void reset();
  [[nodiscard]] Subslice empty_subslice() const;
  WorkGroup& take_group();
  bool place_next(std::uint32_t subslice);
  void settle(WorkGroup& group, OrdinalRange ordinals);
  [[nodiscard]] Slot& slot_of(const HardwareThread& thread) const;
  HardwareThread& place_thread(WorkGroup& group, std::uint32_t index, std::uint32_t ordinal);
  [[nodiscard]] bool usable(std::uint32_t ordinal) const;
  [[nodiscard]] bool is_resident(std::uint32_t ordinal) const;

  const Topology& topology_;
  Memory& memory_;
  SurfaceHeap& surfaces_;
  SamplerHeap& samplers_;
  const KernelLaunch* launch_ = nullptr;
  std::unique_ptr<ThreadPayload> payload_;
  std::uint32_t threads_per_group_ = 0;
  std::uint32_t slm_per_group_ = 0;        // as the hardware rounds it
  std::uint64_t next_group_ = 0;
  std::uint64_t group_total_ = 0;
  std::vector<Subslice> subslices_;
  std::vector<std::unique_ptr<Slot>> slots_;   // by ordinal; made on first use, then kept
  std::vector<std::uint64_t> resident_;        // a bit for each ordinal
  std::uint32_t resident_count_ = 0;
  std::uint64_t placements_ = 0;
  std::vector<std::unique_ptr<WorkGroup>> groups_;   // all that were ever needed at once
  std::vector<WorkGroup*> free_groups_;
};

}  // namespace xesim::device
