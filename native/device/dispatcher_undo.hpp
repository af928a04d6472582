// Takes turns back: threads and work-groups as they were before some of them ran.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/dispatcher.hpp"

namespace xesim::device {

class DispatcherUndo {
 public:
  explicit DispatcherUndo(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

  // Before the resident thread of `ordinal` takes a turn, its only one. Turns of other threads of
  // the same work-group are to be told to the same object.
  void before_turn(std::uint32_t ordinal);

  // Back to where the first of these turns began. What the dispatcher holds beside threads and
  // groups must not have changed: threads have left their groups, but were not retired.
  void roll_back();
  // The turns stay.
  void forget();

 private:
  struct SavedThread {
    Dispatcher::Slot* slot;
    bool entered;
    ThreadRun run;
    // What others change of a thread that takes no turn.
    std::uint32_t barrier_pending;
    std::uint32_t barrier_ahead;
    std::uint32_t notification;
    eu::FusedExchange fused;
  };
  struct SavedGroup {
    WorkGroup* group;
    bool fresh;                     // no thread has run: shared local memory is zeroes
    std::array<BarrierArrivals, kBarriersPerGroup> arrived;
    std::vector<std::byte> slm;
    std::vector<SavedThread> threads;
  };
  struct SavedState {
    Dispatcher::Slot* slot;
    std::unique_ptr<eu::ThreadState> state;
  };

  void save_group(WorkGroup& group);
  void save_state(Dispatcher::Slot& slot);
  void copy_state(eu::ThreadState& to, const eu::ThreadState& from) const;
  static void restore_group(const SavedGroup& saved);

  Dispatcher& dispatcher_;
  // Elements beyond the counts are kept for their memory.
  std::vector<SavedGroup> groups_;
  std::size_t group_count_ = 0;
  std::vector<SavedState> states_;
  std::size_t state_count_ = 0;
};

}  // namespace xesim::device
