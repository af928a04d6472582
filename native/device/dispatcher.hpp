// Places the work-groups of a launch on the hardware threads of the device, as the thread
// dispatcher does: a group goes to one subslice that has enough free threads and shared local
// memory, and gets its lowest free threads in ordinal order; what a group leaves is filled again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/thread_payload.hpp"

namespace xesim::device {

inline constexpr unsigned kBarriersPerGroup = 32;

// A work-group that runs.
struct WorkGroup {
  std::array<std::uint32_t, 3> id{};
  std::uint32_t subslice = 0;              // position over all slices
  std::vector<HardwareThread*> threads;    // null once ended
  std::uint32_t alive = 0;
  std::vector<std::byte> slm;
  std::array<std::uint32_t, kBarriersPerGroup> arrived{};  // threads that signalled each barrier
};

class Dispatcher {
 public:
  Dispatcher(const Topology& topology, Memory& memory, SurfaceHeap& surfaces);
  ~Dispatcher();

  // Takes `launch`, which must outlive it, and places its first groups. One line when a group can
  // never be placed. Nothing may be resident.
  std::optional<std::string> begin(const KernelLaunch& launch);

  // Drops whatever is resident and not yet placed.
  void abandon();

  [[nodiscard]] bool idle() const { return resident_count_ == 0; }

  // The first resident thread with at least this ordinal; null after the last one.
  [[nodiscard]] HardwareThread* next_resident(std::uint32_t ordinal) const;
  [[nodiscard]] HardwareThread* at(std::uint32_t ordinal) const;

  // What the execution unit needs to run `thread`.
  [[nodiscard]] eu::ThreadEnvironment& environment(const HardwareThread& thread);

  // Frees the slot of a thread that ended, and places further groups if that made room.
  void retire(HardwareThread& thread);

 private:
  struct Slot;
  struct Subslice {
    std::uint32_t free_threads = 0;
    std::uint32_t free_slm = 0;
    std::uint32_t free_barriers = 0;
  };
  void reset();
  bool place_next(std::uint32_t subslice);
  void place_thread(WorkGroup& group, std::uint32_t index, std::uint32_t ordinal);
  [[nodiscard]] bool usable(std::uint32_t ordinal) const;

  const Topology& topology_;
  Memory& memory_;
  SurfaceHeap& surfaces_;
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
  std::vector<std::unique_ptr<WorkGroup>> groups_;   // all that were ever needed at once
  std::vector<WorkGroup*> free_groups_;
};

}  // namespace xesim::device
