// The first-in first-out queue under zetDebugReadEvent.
#pragma once

#include <level_zero/zet_api.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace xesim::debug {

struct QueuedEvent {
  zet_debug_event_t event{};
  // The thread that becomes "reported as stopped" when the event is read.
  std::optional<std::uint32_t> reports;
};

class EventQueue {
 public:
  void push(const QueuedEvent& event);
  // Several at once, with one wake-up.
  void push(const std::deque<QueuedEvent>& events);
  // Threads that wait return, and later ones do not wait.
  void close();
  // Of a closed queue: puts the event in front of its last one, DETACHED, unless that has been read.
  void push_before_last(const QueuedEvent& event);
  // Waits until there is an event, the time is over (UINT64_MAX: never) or the queue is closed.
  std::optional<QueuedEvent> pop(std::uint64_t timeout_milliseconds);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<QueuedEvent> events_;
  bool closed_ = false;
};

}  // namespace xesim::debug
