// A mutex that is granted in the order of asking, so that a debugger gets the device between two
// slices of a kernel that never ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace xesim::device {

class FairLock {
 public:
  void lock() {
    std::unique_lock guard(mutex_);
    const std::uint64_t ticket = next_ticket_.fetch_add(1);
    granted_.wait(guard, [&] { return now_serving_.load() == ticket; });
  }

  void unlock() {
    {
      const std::scoped_lock guard(mutex_);
      now_serving_.fetch_add(1);
    }
    granted_.notify_all();
  }

  // Whether a thread waits after the holder. For the holder, and threads that work for it: they ask
  // after every turn, so it takes no lock.
  [[nodiscard]] bool contended() const {
    return next_ticket_.load(std::memory_order_relaxed) !=
           now_serving_.load(std::memory_order_relaxed) + 1;
  }

 private:
  std::mutex mutex_;
  std::condition_variable granted_;
  std::atomic<std::uint64_t> next_ticket_{0};  // changed under the mutex
  std::atomic<std::uint64_t> now_serving_{0};  // likewise
};

}  // namespace xesim::device
