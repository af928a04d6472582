// A mutex that is granted in the order of asking, so that a debugger gets the device between two
// slices of a kernel that never ends.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace xesim::device {

class FairLock {
 public:
  void lock() {
    std::unique_lock guard(mutex_);
    const std::uint64_t ticket = next_ticket_++;
    granted_.wait(guard, [&] { return now_serving_ == ticket; });
  }

  void unlock() {
    {
      const std::scoped_lock guard(mutex_);
      ++now_serving_;
    }
    granted_.notify_all();
  }

  // Whether somebody waits behind the holder.
  [[nodiscard]] bool contended() const {
    const std::scoped_lock guard(mutex_);
    return next_ticket_ != now_serving_ + 1;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable granted_;
  std::uint64_t next_ticket_ = 0;
  std::uint64_t now_serving_ = 0;
};

}  // namespace xesim::device
