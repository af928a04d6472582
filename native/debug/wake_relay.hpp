// Wakes the server's service thread out of poll, from threads that do not share its descriptors.
//
// The service thread has a table of file descriptors of its own (service_thread.hpp), so the
// program's threads cannot write to an event of it. A second thread beside it can: it waits for
// them on a condition, and passes on what they say.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "device/device_process.hpp"

#include "debug/file_descriptor.hpp"

namespace xesim::debug {

class WakeRelay {
 public:
  // Any thread. What is said before begin() is passed on then.
  void signal();
  void stop();

  // The service thread: before it polls, and when it has done so for the last time.
  void begin();
  void end();

  // Between begin() and end(): readable after signal() until clear(), and from stop() on.
  [[nodiscard]] int wake_descriptor() const { return events_->wake.get(); }
  [[nodiscard]] const WakeEvent& stop_event() const { return events_->stop; }
  void clear() { events_->wake.clear(); }

 private:
  struct Events {
    WakeEvent wake;
    WakeEvent stop;
  };
  void pass_on();

  std::optional<Events> events_;
  device::DeviceThread thread_;

  std::mutex mutex_;
  std::condition_variable said_;
  bool signalled_ = false;
  bool stopped_ = false;
};

}  // namespace xesim::debug
