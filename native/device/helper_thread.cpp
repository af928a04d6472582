#include "device/helper_thread.hpp"

#include <cfenv>
#include <system_error>
#include <utility>

namespace xesim::device {

HelperThread::~HelperThread() {
  if (thread_.joinable()) {
    state_.store(kEnding);
    state_.notify_all();
    thread_.join();
  }
}

bool HelperThread::begin(std::function<void()> work) {
  if (!thread_.joinable()) {
    try {
      thread_ = DeviceThread([this] { serve(); });
    } catch (const std::system_error&) {
      return false;
    }
  }
  std::fenv_t environment;
  std::fegetenv(&environment);
  work_ = [environment, work = std::move(work)] {
    std::fesetenv(&environment);
    work();
  };
  state_.store(kPosted);
  state_.notify_all();
  return true;
}

bool HelperThread::finish(bool wait) {
  std::uint32_t state = kPosted;
  if (!wait && state_.compare_exchange_strong(state, kIdle)) {
    return false;
  }
  for (state = state_.load(); state != kIdle; state = state_.load()) {
    state_.wait(state);
  }
  return true;
}

void HelperThread::serve() {
  while (true) {
    std::uint32_t state = state_.load();
    if (state == kEnding) {
      return;
    }
    if (state == kPosted && state_.compare_exchange_strong(state, kWorking)) {
      state_.notify_all();
      work_();
      state_.store(kIdle);
      state_.notify_all();
    } else if (state == kIdle) {
      state_.wait(kIdle);
    }
  }
}

}  // namespace xesim::device
