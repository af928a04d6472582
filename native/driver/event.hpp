// Events: set by commands or the host, waited for by both.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/event_state.hpp"
#include "driver/failure.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/shared_events.hpp"

namespace xesim::driver {

class Context;

class EventPool : public Object<EventPool> {
 public:
  // `shared`: where the states of the events are, for a pool that processes share; else null.
  EventPool(std::shared_ptr<Context> context, ze_event_pool_flags_t flags, std::uint32_t count,
            bool counter_based, std::unique_ptr<SharedEvents> shared = nullptr)
      : context_(std::move(context)),
        flags_(flags),
        count_(count),
        counter_based_(counter_based),
        shared_(std::move(shared)) {}

  // The application's handle, which may be dead.
  [[nodiscard]] ze_event_pool_handle_t handle() const { return handle_as<ze_event_pool_handle_t>(); }
  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] ze_event_pool_flags_t flags() const { return flags_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  // Whether its events count the commands that signal them; see Event.
  [[nodiscard]] bool counter_based() const { return counter_based_; }
  [[nodiscard]] SharedEvents* shared() const { return shared_.get(); }
  [[nodiscard]] bool keeps_timestamps() const {
    return (flags_ & (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | later::kMappedTimestamps)) != 0;
  }

 private:
  std::shared_ptr<Context> context_;
  ze_event_pool_flags_t flags_;
  std::uint32_t count_;
  bool counter_based_;
  std::unique_ptr<SharedEvents> shared_;
};

// The state (signalled, rounds, times) belongs to the Monitor's lock, but for what other processes do.
//
// A counter-based event is never reset: every command that signals it begins a new round when it is
// submitted. Who waits waits for the round that was the last one at that time, so that a program may
// use the event again while others still wait for an earlier round. (Core specification, counter-based
// events.) Before the first round it is signalled. All others have one round, which a reset begins again.
class Event : public Object<Event> {
 public:
  Event(std::shared_ptr<EventPool> pool, const ze_event_desc_t& description)
      : pool_(std::move(pool)), signal_(description.signal), wait_(description.wait) {
    if (pool_->shared() != nullptr) {
      state_ = &pool_->shared()->state(description.index);
    }
  }

  // A counter-based one without a pool that the program knows; `flags` are those of its description.
  Event(std::shared_ptr<EventPool> own_pool, const ze_event_desc_t& description,
        std::uint32_t flags)
      : Event(std::move(own_pool), description) {
    counter_flags_ = flags;
  }

  [[nodiscard]] const std::shared_ptr<EventPool>& pool() const { return pool_; }
  // What it was created with as a counter-based event; nothing of events of pools.
  [[nodiscard]] std::optional<std::uint32_t> counter_flags() const { return counter_flags_; }
  [[nodiscard]] ze_event_scope_flags_t signal_scope() const { return signal_; }
  [[nodiscard]] ze_event_scope_flags_t wait_scope() const { return wait_; }

  [[nodiscard]] bool counter_based() const { return pool_->counter_based(); }
  // The round that who waits from now on waits for.
  [[nodiscard]] std::uint64_t round() const { return state_->begun; }
  // A command that will signal it is submitted: the round that its signal ends.
  std::uint64_t begin_round() { return counter_based() ? ++state_->begun : round(); }

  [[nodiscard]] bool signalled() const { return signalled(round()); }
  [[nodiscard]] bool signalled(std::uint64_t round) const {
    return counter_based() ? state_->ended >= round : state_->signalled != 0;
  }
  [[nodiscard]] const CommandTimes& times() const { return state_->times; }
  // `failure`: why the command did not do it, if so.
  void signal(const CommandTimes& times, std::uint64_t round = 0,
              std::shared_ptr<Failure> failure = nullptr) {
    if (failure != nullptr) {
      failure_.set(std::move(failure));
    }
    state_->times = times;
    state_->signalled = failure_.present() ? EventState::kFailed : 1;
    for (std::uint64_t ended = state_->ended;
         ended < round && !state_->ended.compare_exchange_weak(ended, round);) {
    }
    notify_others();
  }
  // Of the command that signalled it. That a command of another process failed is known as long as
  // the event is not reset.
  [[nodiscard]] FailureToTell& failure() {
    if (pool_->shared() != nullptr && state_->signalled == EventState::kFailed &&
        !failure_.present()) {
      failure_.set(std::make_shared<Failure>("a command that another process shares the event of failed"));
    }
    return failure_;
  }
  void reset() {
    failure_.clear();
    state_->signalled = 0;
    state_->times = {};
    notify_others();
  }

 private:
  void notify_others() {
    if (pool_->shared() != nullptr) {
      pool_->shared()->notify();
    }
  }

  std::shared_ptr<EventPool> pool_;
  ze_event_scope_flags_t signal_;
  ze_event_scope_flags_t wait_;
  std::optional<std::uint32_t> counter_flags_;
  FailureToTell failure_;
  EventState own_;
  EventState* state_ = &own_;
};

// What zeEventQueryKernelTimestamp reports of `times`.
[[nodiscard]] ze_kernel_timestamp_result_t timestamp_result(const CommandTimes& times);

// Whether `count` and `handles` are a list that an append call may be given; fills `events`.
ze_result_t collect_wait_events(std::uint32_t count, ze_event_handle_t* handles,
                                std::vector<std::shared_ptr<Event>>& events);

}  // namespace xesim::driver
