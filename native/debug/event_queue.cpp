#include "debug/event_queue.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace xesim::debug {

void EventQueue::push(const QueuedEvent& event) { push(std::deque<QueuedEvent>{event}); }

void EventQueue::push(const std::deque<QueuedEvent>& events) {
  {
    const std::lock_guard lock(mutex_);
    events_.insert(events_.end(), events.begin(), events.end());
  }
  changed_.notify_all();
}

void EventQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void EventQueue::push_before_last(const QueuedEvent& event) {
  const std::lock_guard lock(mutex_);
  events_.insert(events_.empty() ? events_.end() : std::prev(events_.end()), event);
}

std::optional<QueuedEvent> EventQueue::pop(std::uint64_t timeout_milliseconds) {
  // Longer waits would overflow the clock.
  constexpr std::uint64_t kLongest = std::chrono::milliseconds(std::chrono::hours(24 * 365)).count();
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return !events_.empty() || closed_; };
  if (timeout_milliseconds == UINT64_MAX) {
    changed_.wait(lock, ready);
  } else if (timeout_milliseconds != 0) {
    const std::chrono::milliseconds timeout(std::min(timeout_milliseconds, kLongest));
    changed_.wait_for(lock, timeout, ready);
  }
  if (events_.empty()) return std::nullopt;
  const QueuedEvent event = events_.front();
  events_.pop_front();
  return event;
}

}  // namespace xesim::debug
