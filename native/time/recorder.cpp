#include "time/recorder.hpp"

#include <time.h>

#include <algorithm>
#include <utility>

#include "device/executor.hpp"

namespace xesim::time {

namespace {

// A keyframe is taken when the work since the last one is worth so many times its cost.
constexpr double kWorkPerCost = 12;
// And not more often than this, in seconds: replay is quicker than that anyway.
constexpr double kShortestInterval = 0.01;
// Work between two looks at the clock.
constexpr std::uint64_t kLookInstructions = 32 * 1024;
constexpr std::size_t kLookEntries = 256;

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void Recorder::configure(bool enabled, std::uint64_t budget) {
  budget_ = budget;
  enabled_ = enabled;
  if (!enabled) {
    clear();
  } else {
    thin();
  }
}

void Recorder::clear() {
  current_.reset();
  kept_.clear();
  last_.reset();
}

std::uint64_t Recorder::bytes() const {
  std::uint64_t sum = *page_bytes_;
  for (const auto& launch : kept_) {
    sum += launch->log.size();
  }
  return sum;
}

void Recorder::launch_began(device::Executor& executor) {
  current_.reset();
  if (!enabled_) {
    return;
  }
  executor_ = &executor;
  current_ = std::make_shared<Recording>();
  current_->number = next_number_++;
  current_->launch = *executor.running;
  current_->launch.resources.reset();
  current_->launch.outside.reset();
  current_->payload = executor.dispatcher.payload_address();
  current_->end = executor.time();
  current_->page_bytes = page_bytes_;
  current_->budget = budget_;
  kept_.push_back(current_);
  take();
}

void Recorder::launch_ended() {
  if (current_ != nullptr) {
    current_->finished = true;
    current_->log.entries.shrink_to_fit();
    current_.reset();
  }
}

void Recorder::add(Step step, std::uint32_t ordinal, std::uint32_t count) {
  current_->log.entries.emplace_back(step, ordinal, count);
}

void Recorder::thread_ran(std::uint32_t ordinal, const eu::RunResult& result) {
  if (!records()) {
    return;
  }
  const bool goes_on = result.outcome == eu::Outcome::BudgetSpent ||
                       result.outcome == eu::Outcome::SynchronisationAhead;
  add(goes_on ? Step::RanOn : Step::RanToEnd, ordinal,
      static_cast<std::uint32_t>(result.instructions));
  current_->end += result.instructions;
  if (is_due()) {
    take();
  }
}

void Recorder::refilled() {
  if (records()) {
    add(Step::Refilled, 0, 0);
  }
}

void Recorder::thread_halted(std::uint32_t ordinal) {
  if (records()) {
    add(Step::Halted, ordinal, 0);
  }
}

void Recorder::thread_resumed(std::uint32_t ordinal) {
  if (records()) {
    add(Step::Resumed, ordinal, 0);
  }
}

void Recorder::thread_changed(std::uint32_t ordinal, const device::ThreadChange& change) {
  if (records()) {
    add(Step::Changed, ordinal, static_cast<std::uint32_t>(current_->log.changes.size()));
    current_->log.changes.emplace_back(change);
  }
}

void Recorder::memory_written(std::uint64_t address, std::span<const std::byte> bytes) {
  if (records()) {
    add(Step::Changed, 0, static_cast<std::uint32_t>(current_->log.changes.size()));
    current_->log.changes.emplace_back(MemoryWrite{address, {bytes.begin(), bytes.end()}});
  }
}

bool Recorder::is_due() {
  // What the host allocates or frees is in no log.
  if (executor_->memory().generation() != generation_) {
    return true;
  }
  const std::size_t entry = current_->log.entries.size();
  if (current_->end - looked_at_time_ < kLookInstructions &&
      entry - looked_at_entry_ < kLookEntries) {
    return false;
  }
  looked_at_time_ = current_->end;
  looked_at_entry_ = entry;
  return thread_seconds() - taken_at_ >= std::max(kShortestInterval, kWorkPerCost * cost_);
}

void Recorder::take() {
  const double begin = thread_seconds();
  generation_ = executor_->memory().generation();
  last_ = std::make_shared<const Keyframe>(
      take_keyframe(*executor_, current_->log.entries.size(), last_.get(), page_bytes_));
  current_->keyframes.push_back(last_);
  taken_at_ = thread_seconds();
  // The first one of a launch has no registers of threads, and says little of the next one's cost.
  if (current_->keyframes.size() > 1) {
    cost_ = taken_at_ - begin;
  }
  looked_at_time_ = current_->end;
  looked_at_entry_ = current_->log.entries.size();
  thin();
}

void Recorder::thin() {
  while (bytes() > budget_) {
    // Launches that ended go first, the oldest of them.
    if (kept_.size() > 1) {
      kept_.pop_front();
      continue;
    }
    if (kept_.empty()) {
      return;
    }
    // Then every second keyframe of the older half; the first one stays.
    auto& keyframes = kept_.front()->keyframes;
    const std::size_t half = keyframes.size() / 2 + 1;
    std::vector<std::shared_ptr<const Keyframe>> left;
    for (std::size_t index = 0; index < keyframes.size(); ++index) {
      if (index >= half || index % 2 == 0) {
        left.push_back(keyframes[index]);
      }
    }
    if (left.size() != keyframes.size()) {
      keyframes = std::move(left);
      last_ = keyframes.back();
      continue;
    }
    give_up("the launch does not fit the budget of " + std::to_string(budget_) + " bytes");
    return;
  }
}

void Recorder::give_up(std::string reason) {
  Recording& launch = *kept_.front();
  launch.given_up = std::move(reason);
  launch.keyframes.clear();
  launch.log = {};
  last_.reset();
}

}  // namespace xesim::time
