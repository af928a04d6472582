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

  // Waits at most `timeout` nanoseconds (UINT64_MAX: for ever, 0: only looks) for `done()`, which
  // is called with the lock held. SUCCESS, NOT_READY, or DEVICE_LOST when the device is lost
  // before it is done.
  template <class Done>
  ze_result_t wait(std::uint64_t timeout, Done done) {
    Lock held = lock();
    const auto settled = [&] { return done() || device_lost_; };
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
      return ZE_RESULT_SUCCESS;
    }
    return device_lost_ ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_NOT_READY;
  }

  // These with the lock held.
  [[nodiscard]] bool device_lost() const { return device_lost_; }
  void lose_device() { device_lost_ = true; }
  // An assertion failed in a kernel and was reported: the next wait ends the process, as an
  // assertion of the host's would.
  void assertion_failed() { assertion_failed_ = true; }

 private:
  // A century, where adding to the clock's now is still safe.
  static constexpr std::uint64_t kForEver = 100ull * 365 * 24 * 3600 * 1'000'000'000;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool device_lost_ = false;
  bool assertion_failed_ = false;
};

}  // namespace xesim::driver
