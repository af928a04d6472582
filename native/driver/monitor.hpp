// What host threads and the command streamer wait for: one lock and one condition for the state
// of every event, fence and command stream. Waits are rare and short beside the emulation of a
// kernel, and with one lock no order of locks can go wrong.
#pragma once

#include <level_zero/ze_api.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "driver/failure.hpp"
#include "driver/last_error.hpp"

namespace xesim::driver {

class Monitor {
 public:
  // The process's.
  static Monitor& instance();

  using Lock = std::unique_lock<std::mutex>;
  [[nodiscard]] Lock lock() { return Lock(mutex_); }

  // Wakes every waiter, since something changed. With or without the lock.
  void notify() { changed_.notify_all(); }

  // Sleeps until notify(); the caller holds the lock and checks its condition in a loop.
  void sleep(Lock& lock) { changed_.wait(lock); }

  // Waits at most `timeout` nanoseconds (UINT64_MAX: for ever, 0: only looks) for `done()`.
  // SUCCESS, NOT_READY, or DEVICE_LOST when the device is lost before it is done, or there is a
  // `failure()` to tell when it is. A failure is told by a wait, not by a look. Both are called with the
  // lock held.
  template <class Done, class Failed>
  ze_result_t wait(std::uint64_t timeout, Done done, Failed failure) {
    Lock held = lock();
    const auto settled = [&] { return done() || device_lost(); };
    if (!settled()) {
      if (timeout >= kForEver) {
        changed_.wait(held, settled);
      } else if (timeout > 0) {
        changed_.wait_for(held, std::chrono::nanoseconds(timeout), settled);
      }
    }
    if (assertion_failed_) {
      std::abort();
    }
    if (done()) {
      if (!failure().present()) {
        return ZE_RESULT_SUCCESS;
      }
      if (timeout > 0) {
        last_error() = failure().tell();
      }
      return ZE_RESULT_ERROR_DEVICE_LOST;
    }
    return device_lost() ? refuse_lost() : ZE_RESULT_NOT_READY;
  }

  // These with the lock held.
  [[nodiscard]] bool device_lost() const { return lost_because_.has_value(); }
  void lose_device(std::string reason) { lost_because_ = std::move(reason); }
  // What calls answer that need a device which is lost.
  [[nodiscard]] ze_result_t refuse_lost() const {
    last_error() = *lost_because_;
    return ZE_RESULT_ERROR_DEVICE_LOST;
  }
  // An assertion failed in a kernel and was reported: the next wait ends the process, as an
  // assertion of the host's would.
  void assertion_failed() { assertion_failed_ = true; }

 private:
  // A century, where adding to the clock's now is still safe.
  static constexpr std::uint64_t kForEver = 100ull * 365 * 24 * 3600 * 1'000'000'000;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> lost_because_;
  bool assertion_failed_ = false;
};

}  // namespace xesim::driver
