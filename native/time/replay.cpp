#include "time/replay.hpp"

#include <algorithm>
#include <utility>

namespace xesim::time {

namespace {

// Log entries between two questions whether to go on.
constexpr unsigned kEntriesPerQuestion = 64;
// Instructions of a long way, and from its end back to where the last keyframe is added.
constexpr std::uint64_t kLongWay = 512 * 1024;
constexpr std::uint64_t kNear = 64 * 1024;

}  // namespace

Replay::Replay(device::Device& device, std::shared_ptr<Recording> recording)
    : device_(device), recording_(std::move(recording)),
      memory_(device.memory(), *recording_), unit_(device.topology().platform) {}

Replay::~Replay() = default;

void Replay::restore(std::size_t index) {
  keyframe_ = recording_->keyframes[index];
  const Keyframe& keyframe = *keyframe_;
  memory_.show(keyframe_);
  const device::Memory& present = device_.memory();
  // Where the copies of the heaps are may change.
  surfaces_.emplace(device_.surfaces(), memory_.host(present.surface_state_base()));
  samplers_.emplace(device_.samplers(), memory_.host(device_.samplers().base()));
  if (dispatcher_ == nullptr) {
    dispatcher_ = std::make_unique<device::Dispatcher>(device_.topology(), device_.memory(), memory_,
                                                       *surfaces_, *samplers_);
  }
  dispatcher_->begin_again(recording_->launch, recording_->payload);
  dispatcher_->restore(keyframe.dispatcher, keyframe.contents);
  show_code(keyframe);
  time_ = keyframe.time;
  entry_ = keyframe.entry;
  executed_ = keyframe.executed;
  placed_ = true;
}

void Replay::show_code(const Keyframe& keyframe) {
  code_ = std::make_unique<device::InstructionCaches>(device_.topology().platform);
  for (const auto& [offset, size] : keyframe.code) {
    if (const std::byte* host = memory_.host(device_.memory().instruction_base() + offset)) {
      code_->add(offset, host, size);
    }
  }
}

Replay::Outcome Replay::go_to(std::uint64_t time, const Cancelled& cancelled) {
  const std::size_t keyframe = recording_->keyframe_before(time);
  if (!placed_ || time < time_ || recording_->keyframes[keyframe]->entry > entry_) {
    restore(keyframe);
  }
  if (const std::uint64_t way = time - time_; way > kLongWay) {
    for (const std::uint64_t point : {time_ + way / 2, time - kNear}) {
      const Outcome outcome = run_to(point, nullptr, cancelled);
      if (outcome != Outcome::Reached) {
        return outcome;
      }
      keep();
    }
  }
  return run_to(time, nullptr, cancelled);
}

Replay::Outcome Replay::run_to(std::uint64_t time, ReplayObserver* observer,
                               const Cancelled& cancelled) {
  const LaunchLog& log = recording_->log;
  const auto& keyframes = recording_->keyframes;
  auto next = std::ranges::upper_bound(keyframes, entry_, {},
                                       [](const auto& keyframe) { return keyframe->entry; });
  for (unsigned asked = 0;;) {
    for (; next != keyframes.end() && (*next)->entry == entry_; ++next) {
      if ((*next)->executed == executed_) {
        pass(static_cast<std::size_t>(next - keyframes.begin()));
      }
    }
    if (entry_ == log.entries.size()) {
      return Outcome::Reached;
    }
    const LogEntry entry = log.entries[entry_];
    if (entry.ran()) {
      const std::uint32_t left = entry.count - executed_;
      if (left != 0 && time_ >= time) {
        return Outcome::Reached;
      }
      const bool whole = left <= time - time_;
      const std::uint32_t count = whole ? left : static_cast<std::uint32_t>(time - time_);
      if (!run_thread(entry, count, whole && entry.step() == Step::RanToEnd, observer)) {
        placed_ = false;
        return Outcome::Diverged;
      }
      executed_ += count;
      if (!whole) {
        return Outcome::Reached;
      }
    } else if (entry.step() == Step::Refilled) {
      dispatcher_->refill();
    } else {
      apply_change(entry);
    }
    ++entry_;
    executed_ = 0;
    if (observer != nullptr && !observer->goes_on()) {
      return Outcome::Reached;
    }
    if (++asked % kEntriesPerQuestion == 0 && cancelled && cancelled()) {
      return Outcome::Cancelled;
    }
  }
}

void Replay::pass(std::size_t index) {
  const auto& keyframes = recording_->keyframes;
  if (!memory_.differs(*keyframes[index])) {
    return;
  }
  Recording& recording = *recording_;
  const bool first = recording.host_write_first == recording.host_write_end;
  const std::uint64_t before = keyframes[index - 1]->time;
  const std::uint64_t after = keyframes[index]->time;
  recording.host_write_first = first ? before : std::min(recording.host_write_first, before);
  recording.host_write_end = first ? after : std::max(recording.host_write_end, after);
  restore(index);
}

void Replay::keep() {
  Recording& recording = *recording_;
  if (*recording.page_bytes >= recording.budget) {
    return;
  }
  auto keyframe = std::make_shared<Keyframe>();
  keyframe->time = time_;
  keyframe->entry = entry_;
  keyframe->executed = executed_;
  keyframe->dispatcher = dispatcher_->state();
  freeze_contents(*keyframe, dispatcher_->contents(), keyframe_.get(), recording.page_bytes);
  memory_.capture(*keyframe, recording.page_bytes);
  keyframe->code = keyframe_->code;
  recording.add(std::move(keyframe));
}

// One instruction more than there are leads to what ended the run, which executes none.
bool Replay::run_thread(const LogEntry& entry, std::uint32_t count, bool to_end,
                        ReplayObserver* observer) {
  if (!dispatcher_->runnable(entry.ordinal)) {
    return false;
  }
  if (count == 0 && !to_end) {
    return true;
  }
  device::HardwareThread& thread = *dispatcher_->at(entry.ordinal);
  const bool observed = observer != nullptr && observer->begin_run(thread, time_);
  const eu::RunOptions options{.budget = std::uint64_t{count} + (to_end ? 1 : 0),
                               .debugging = true,
                               .until_synchronisation = false,
                               .goes_on = false,
                               .observer = observed ? observer : nullptr};
  const eu::RunResult result =
      unit_.run(thread.state, dispatcher_->environment(thread), code_->of_core(0), options);
  time_ += result.instructions;
  if (observed) {
    observer->end_run(time_);
  }
  switch (result.outcome) {
    case eu::Outcome::BudgetSpent:
    case eu::Outcome::SynchronisationAhead: break;
    case eu::Outcome::BarrierWait: thread.run = device::ThreadRun::AtBarrier; break;
    case eu::Outcome::EndOfThread: dispatcher_->retire(thread); break;
    case eu::Outcome::Exception: device::stop(thread, result); break;
  }
  const bool ended = result.outcome != eu::Outcome::BudgetSpent;
  return ended == to_end && result.instructions == count;
}

void Replay::apply_change(const LogEntry& entry) {
  if (entry.step() == Step::Changed) {
    const auto& change = recording_->log.changes[entry.count];
    if (const auto* write = std::get_if<MemoryWrite>(&change)) {
      memory_.write(write->address, write->bytes.data(), write->bytes.size());
      const std::uint64_t base = device_.memory().instruction_base();
      if (write->address >= base && write->address - base <= UINT32_MAX) {
        code_->invalidate(static_cast<std::uint32_t>(write->address - base),
                          static_cast<std::uint32_t>(write->bytes.size()));
      }
      return;
    }
    if (const auto* memory = std::get_if<AllocationChange>(&change)) {
      memory_.change(*memory);
      return;
    }
  }
  device::HardwareThread* const thread = dispatcher_->at(entry.ordinal);
  if (thread == nullptr) {
    return;
  }
  switch (entry.step()) {
    case Step::Halted: device::halt(*thread); break;
    case Step::Resumed: device::resume(*thread); break;
    case Step::Changed:
      std::get<device::ThreadChange>(recording_->log.changes[entry.count])(*thread);
      break;
    default: break;
  }
}

}  // namespace xesim::time
