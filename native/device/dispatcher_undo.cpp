#include "device/dispatcher_undo.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "device/dispatcher_slot.hpp"

namespace xesim::device {

void DispatcherUndo::before_turn(std::uint32_t ordinal) {
  Dispatcher::Slot& slot = *dispatcher_.slots_[ordinal];
  if (!std::exchange(slot.group->saved, true)) {
    save_group(*slot.group);
  }
  if (slot.entered) {
    save_state(slot);
  }
}

void DispatcherUndo::save_group(WorkGroup& group) {
  if (group_count_ == groups_.size()) {
    groups_.emplace_back();
  }
  SavedGroup& saved = groups_[group_count_++];
  saved.group = &group;
  saved.fresh = true;
  saved.arrived = group.arrived;
  saved.threads.clear();
  for (HardwareThread* thread : group.threads) {
    if (thread == nullptr) {
      saved.fresh = false;
      saved.threads.push_back({});
      continue;
    }
    Dispatcher::Slot& slot = dispatcher_.slot_of(*thread);
    const eu::ThreadState& state = thread->state;
    saved.fresh = saved.fresh && !slot.entered;
    saved.threads.push_back({.slot = &slot,
                             .entered = slot.entered,
                             .run = thread->run,
                             .barrier_pending = state.barrier_pending,
                             .barrier_ahead = state.barrier_ahead,
                             .notification = state.notification[0],
                             .fused = state.fused});
  }
  if (!saved.fresh) {
    saved.slm = group.slm;
  }
}

// A copy without the registers that the thread does not have. Their number changes in no turn that is
// taken back: execution with claims refuses that.
void DispatcherUndo::copy_state(eu::ThreadState& to, const eu::ThreadState& from) const {
  constexpr std::size_t kBehindRegisters = offsetof(eu::ThreadState, accumulator);
  auto* const target = reinterpret_cast<std::byte*>(&to);
  const auto* const source = reinterpret_cast<const std::byte*>(&from);
  const bool large = (from.control[0] & eu::cr0::kLargeGrf) != 0;
  const std::size_t registers = large ? eu::kMaxGrfCount : eu::kMaxGrfCount / 2;
  std::memcpy(target, source, registers * dispatcher_.topology_.grf_bytes());
  std::memcpy(target + kBehindRegisters, source + kBehindRegisters,
              sizeof(eu::ThreadState) - kBehindRegisters);
}

void DispatcherUndo::save_state(Dispatcher::Slot& slot) {
  if (state_count_ == states_.size()) {
    states_.push_back({nullptr, std::make_unique<eu::ThreadState>()});
  }
  SavedState& saved = states_[state_count_++];
  saved.slot = &slot;
  copy_state(*saved.state, slot.thread.state);
}

void DispatcherUndo::restore_group(const SavedGroup& saved) {
  WorkGroup& group = *saved.group;
  group.arrived = saved.arrived;
  if (saved.fresh) {
    std::ranges::fill(group.slm, std::byte{0});
  } else {
    group.slm = saved.slm;
  }
  for (std::size_t index = 0; index < saved.threads.size(); ++index) {
    const SavedThread& thread = saved.threads[index];
    if (thread.slot == nullptr) {
      continue;
    }
    group.threads[index] = &thread.slot->thread;
    thread.slot->entered = thread.entered;
    thread.slot->thread.run = thread.run;
    eu::ThreadState& state = thread.slot->thread.state;
    state.barrier_pending = thread.barrier_pending;
    state.barrier_ahead = thread.barrier_ahead;
    state.notification[0] = thread.notification;
    state.fused = thread.fused;
  }
}

void DispatcherUndo::roll_back() {
  for (std::size_t i = 0; i < state_count_; ++i) {
    copy_state(states_[i].slot->thread.state, *states_[i].state);
  }
  // After the states, which may have been saved after another thread's turn changed them.
  for (std::size_t i = 0; i < group_count_; ++i) {
    restore_group(groups_[i]);
  }
  forget();
}

void DispatcherUndo::forget() {
  for (std::size_t i = 0; i < group_count_; ++i) {
    groups_[i].group->saved = false;
  }
  group_count_ = 0;
  state_count_ = 0;
}

}  // namespace xesim::device
