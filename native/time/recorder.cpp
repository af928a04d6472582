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

}  // namespace

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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
  used_.end();
  used_.forget();
  current_.reset();
  kept_.clear();
  ended_bytes_ = 0;
  last_.reset();
}

std::uint64_t Recorder::bytes() const {
  return *page_bytes_ + ended_bytes_ + (current_ == nullptr ? 0 : current_->list_bytes());
}

void Recorder::launch_began(device::Executor& executor) {
  used_.end();
  current_.reset();
  last_.reset();
  if (!enabled_) {
    return;
  }
  executor_ = &executor;
  current_ = std::make_shared<Recording>();
  current_->number = next_number_++;
  current_->launch = *executor.running();
  current_->launch.resources.reset();
  current_->launch.outside.reset();
  current_->payload = executor.dispatcher.alone()->payload->address();
  current_->end = executor.time();
  current_->page_bytes = page_bytes_;
  current_->budget = budget_;
  kept_.push_back(current_);
  used_.begin(executor, current_);
  take();
}

void Recorder::another_launch_began() {
  if (records()) {
    current_->unrecordable = true;
    give_up(*current_, "another kernel ran on the other tile at the same time");
  }
}

void Recorder::launch_ended() {
  if (current_ != nullptr) {
    current_->finished = true;
    current_->log.entries.shrink_to_fit();
    current_->ended_bytes = current_->list_bytes();
    ended_bytes_ += current_->ended_bytes;
    used_.end();
    current_.reset();
    thin();
  }
}

void Recorder::thread_ran(std::uint32_t ordinal, const eu::RunResult& result) {
  if (!records()) {
    return;
  }
  const bool goes_on = result.outcome == eu::Outcome::BudgetSpent ||
                       result.outcome == eu::Outcome::SynchronisationAhead;
  current_->log.add(goes_on ? Step::RanOn : Step::RanToEnd, ordinal,
      static_cast<std::uint32_t>(result.instructions));
  current_->end += result.instructions;
  if (!used_.refusal().empty()) {
    current_->unrecordable = true;
    give_up(*current_, used_.refusal());
  } else if (is_due()) {
    take();
  } else if (*page_bytes_ > budget_) {
    thin();
  }
}

void Recorder::refilled() {
  // Once more, with nothing done in between, it would place nothing: a search lets the device wait so.
  const bool again = records() && !current_->log.entries.empty() &&
                     current_->log.entries.back().step() == Step::Refilled;
  if (records() && !again) {
    current_->log.add(Step::Refilled, 0, 0);
  }
}

void Recorder::thread_halted(std::uint32_t ordinal) {
  if (records()) {
    current_->log.add(Step::Halted, ordinal, 0);
  }
}

void Recorder::thread_resumed(std::uint32_t ordinal) {
  if (records()) {
    current_->log.add(Step::Resumed, ordinal, 0);
  }
}

void Recorder::thread_changed(std::uint32_t ordinal, const device::ThreadChange& change) {
  if (records()) {
    current_->log.add_change(ordinal, change);
  }
}

void Recorder::memory_written(std::uint64_t address, std::span<const std::byte> bytes) {
  if (records()) {
    used_.use(address, bytes.size());
    current_->log.add_change(0, MemoryWrite{address, {bytes.begin(), bytes.end()}});
  }
}

bool Recorder::is_due() {
  const std::size_t entry = current_->log.entries.size();
  if (current_->end - looked_at_time_ < kLookInstructions &&
      entry - looked_at_entry_ < kLookEntries) {
    return false;
  }
  looked_at_time_ = current_->end;
  looked_at_entry_ = entry;
  return clock_() - taken_at_ >= std::max(kShortestInterval, kWorkPerCost * cost_);
}

void Recorder::take() {
  const double begin = clock_();
  const std::shared_ptr<const Allocations> allocations = used_.allocations();
  auto keyframe = std::make_shared<Keyframe>(
      take_keyframe(*executor_, current_->log.entries.size(), last_.get(), page_bytes_));
  keyframe->allocations = allocations;
  // At first nothing is another than when it is used first.
  if (last_ != nullptr) {
    keyframe->blocks = used_.capture();
  }
  last_ = std::move(keyframe);
  current_->add(last_);
  taken_at_ = clock_();
  // The first one of a launch has no registers of threads, and says little of the next one's cost.
  if (current_->keyframes.size() > 1) {
    cost_ = taken_at_ - begin;
  }
  looked_at_time_ = current_->end;
  looked_at_entry_ = current_->log.entries.size();
  thin();
}

void Recorder::keep_present() {
  if (records() && last_->entry != current_->log.entries.size()) {
    take();
  }
}

void Recorder::thin() {
  while (bytes() > budget_) {
    if (used_.forget_dropped()) {
      continue;
    }
    // Launches that ended go first, the oldest of them.
    if (kept_.size() > 1) {
      ended_bytes_ -= kept_.front()->ended_bytes;
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
    give_up(*kept_.front(),
            "the launch does not fit the budget of " + std::to_string(budget_) + " bytes");
    return;
  }
}

void Recorder::give_up(Recording& launch, std::string reason) {
  launch.given_up = std::move(reason);
  launch.keyframes.clear();
  launch.first_used.clear();
  launch.log = {};
  ended_bytes_ -= std::exchange(launch.ended_bytes, 0);
  last_.reset();
  used_.end();
  used_.forget();
}

}  // namespace xesim::time
