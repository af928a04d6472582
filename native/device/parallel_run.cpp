#include "device/parallel_run.hpp"

#include <algorithm>
#include <thread>
#include <tuple>

namespace xesim::device {

namespace {

// Instructions of one thread before others of its group have their turn.
constexpr std::uint64_t kTurnInstructions = 4096;
// Of a group before the next one on the subslice, and of a subslice before the next one. A device of
// 4,096 threads is full after eight visits to each subslice, in some 50 ms.
constexpr std::uint64_t kGroupInstructions = 16 * 1024;
constexpr std::uint64_t kVisitInstructions = 16 * 1024;
// A turn without an end whose instructions are atomics to this part waits, it seems; so many of them
// are enough.
constexpr std::uint64_t kWaitingInstructions = 32;
constexpr unsigned kWaitingTurns = 16;

}  // namespace

ParallelRun::ParallelRun(const Topology& topology, Dispatcher& dispatcher, InstructionCaches& code,
                         const FairLock& lock)
    : topology_(topology), dispatcher_(dispatcher), code_(code), lock_(lock) {
  for (std::uint32_t i = 0; i < topology.slices * topology.subslices_per_slice; ++i) {
    places_.emplace_back();
  }
}

ParallelRun::Done ParallelRun::run(unsigned cores, std::uint64_t alone) {
  std::tie(first_, end_) = dispatcher_.subslices();
  wanted_ = static_cast<unsigned>(
      std::min<std::uint64_t>({cores, end_ - first_, dispatcher_.group_total()}));
  code_.provide(wanted_);
  while (cores_.size() < wanted_) {
    cores_.emplace_back(topology_.platform, static_cast<unsigned>(cores_.size()));
  }
  for (std::uint32_t subslice = first_; subslice < end_; ++subslice) {
    places_[subslice].over = false;
  }
  for (Core& core : cores_) {
    core.next = 0;
    core.instructions = 0;
  }
  live_ = end_ - first_;
  active_ = 1;
  stop_ = false;
  waiting_turns_ = 0;
  fault_.reset();
  alone_ = alone;
  woken_ = 1;
  refused_ = false;
  if (alone_ == 0) {
    wake_others();
  }
  work(cores_.front());
  Done done{.instructions = cores_.front().instructions, .fault = std::nullopt, .waits = false};
  for (unsigned number = 1; number < woken_; ++number) {
    // One that has not come to it yet is not waited for: nothing is left to do.
    cores_[number].thread.finish(false);
    done.instructions += cores_[number].instructions;
  }
  done.fault = std::move(fault_);
  done.waits = waiting_turns_ >= kWaitingTurns;
  return done;
}

void ParallelRun::wake_others() {
  while (woken_ < wanted_ && !refused_) {
    Core& core = cores_[woken_];
    const bool began = core.thread.begin([this, &core] {
      ++active_;
      work(core);
    });
    if (began) {
      ++woken_;
    } else {
      refused_ = true;
    }
  }
}

void ParallelRun::work(Core& core) {
  while (!stopping()) {
    if (const auto subslice = take(core)) {
      visit(core, *subslice);
      places_[*subslice].taken.store(false, std::memory_order_release);
    } else if (leave()) {
      return;
    } else {
      std::this_thread::yield();
    }
  }
  --active_;
}

bool ParallelRun::try_take(std::uint32_t subslice) {
  Place& place = places_[subslice];
  if (place.over.load(std::memory_order_relaxed) || place.taken.load(std::memory_order_relaxed) ||
      place.taken.exchange(true, std::memory_order_acquire)) {
    return false;
  }
  if (place.over.load(std::memory_order_relaxed)) {
    place.taken.store(false, std::memory_order_release);
    return false;
  }
  return true;
}

std::optional<std::uint32_t> ParallelRun::take(Core& core) {
  const std::uint32_t count = end_ - first_;
  // Its own first: their threads' states may be in its caches.
  const std::uint32_t own = (count - core.number + wanted_ - 1) / wanted_;
  for (std::uint32_t i = 0; i < own; ++i) {
    const std::uint32_t subslice = first_ + core.number + (core.next + i) % own * wanted_;
    if (try_take(subslice)) {
      core.next = (core.next + i + 1) % own;
      return subslice;
    }
  }
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t subslice = first_ + (core.number + i) % count;
    if (try_take(subslice)) {
      return subslice;
    }
  }
  return std::nullopt;
}

// No subslice comes to life again. So those that are left are enough for one core less when there
// are fewer of them than cores.
bool ParallelRun::leave() {
  std::uint32_t active = active_;
  while (live_ < active) {
    if (active_.compare_exchange_weak(active, active - 1)) {
      return true;
    }
  }
  return false;
}

void ParallelRun::visit(Core& core, std::uint32_t subslice) {
  const std::uint64_t end = core.instructions + kVisitInstructions;
  // Beside groups that did not end in the last visit go as many again.
  dispatcher_.place(subslice, std::max<std::size_t>(1, dispatcher_.groups(subslice).size()));
  while (run_groups(core, subslice, end) && core.instructions < end &&
         dispatcher_.place(subslice, 1)) {
  }
  if (!any_runnable(subslice) && !stopping() && !dispatcher_.place(subslice, 1)) {
    places_[subslice].over.store(true, std::memory_order_relaxed);
    --live_;
    if (dispatcher_.ended_before_others(subslice)) {
      stop_ = true;
    }
  }
}

bool ParallelRun::run_groups(Core& core, std::uint32_t subslice, std::uint64_t end) {
  Place& place = places_[subslice];
  place.groups = dispatcher_.groups(subslice);
  for (std::size_t left = place.groups.size(); left != 0 && core.instructions < end; --left) {
    place.next %= place.groups.size();
    run_group(core, *place.groups[place.next++]);
    if (stopping()) {
      return false;
    }
  }
  return dispatcher_.groups(subslice).empty();
}

void ParallelRun::run_group(Core& core, WorkGroup& group) {
  const std::uint64_t before = core.instructions;
  for (bool ran = true; ran && group.alive != 0;) {
    ran = false;
    for (std::size_t index = 0; index < group.threads.size(); ++index) {
      HardwareThread* const thread = group.threads[index];
      if (thread == nullptr || thread->run != ThreadRun::Runnable) {
        continue;
      }
      if (stopping()) {
        return;
      }
      run_turn(core, *thread);
      ran = true;
    }
    if (core.instructions - before >= kGroupInstructions) {
      return;
    }
  }
}

void ParallelRun::run_turn(Core& core, HardwareThread& thread) {
  dispatcher_.enter(thread);
  eu::RunResult result = core.unit.run(thread.state, dispatcher_.environment(thread),
                                       code_.of_core(core.number), {.budget = kTurnInstructions});
  core.instructions += result.instructions;
  switch (result.outcome) {
    case eu::Outcome::BudgetSpent:
      if (result.global_atomics * kWaitingInstructions >= result.instructions &&
          ++waiting_turns_ >= kWaitingTurns) {
        stop_ = true;
      }
      break;
    case eu::Outcome::SynchronisationAhead:
      break;
    case eu::Outcome::BarrierWait:
      thread.run = ThreadRun::AtBarrier;
      break;
    case eu::Outcome::EndOfThread:
      dispatcher_.retire(thread);
      break;
    case eu::Outcome::Exception: {
      stop_ = true;
      const std::scoped_lock guard(fault_mutex_);
      if (!fault_) {
        fault_.emplace(&thread, std::move(result));
      }
      break;
    }
  }
  if (core.number == 0 && woken_ == 1 && core.instructions >= alone_) {
    wake_others();
  }
}

bool ParallelRun::any_runnable(std::uint32_t subslice) const {
  return std::ranges::any_of(dispatcher_.groups(subslice), [](const WorkGroup* group) {
    return std::ranges::any_of(group->threads, [](const HardwareThread* thread) {
      return thread != nullptr && thread->run == ThreadRun::Runnable;
    });
  });
}

}  // namespace xesim::device
