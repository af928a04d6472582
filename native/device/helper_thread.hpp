// Another thread of the host, which does one piece of work at a time beside its owner.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "device/device_process.hpp"

namespace xesim::device {

class HelperThread {
 public:
  HelperThread() = default;
  ~HelperThread();
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;

  // Runs `work`, which must not throw, on the other thread in the caller's floating-point
  // environment. finish() must follow. The thread starts with the first call. False when the host
  // refuses to start it: nothing will run.
  bool begin(std::function<void()> work);

  // Returns when the work is done: true. Or at once, unless `wait`, if the other thread did not come
  // to it yet, and will not then: on a busy host no thread waits for one that waits for a core.
  bool finish(bool wait);

 private:
  enum State : std::uint32_t { kIdle, kPosted, kWorking, kEnding };
  void serve();

  std::atomic<std::uint32_t> state_{kIdle};
  std::function<void()> work_;
  DeviceThread thread_;
};

}  // namespace xesim::device
