#include "debug/wake_relay.hpp"

namespace xesim::debug {

void WakeRelay::signal() {
  {
    const std::lock_guard lock(mutex_);
    signalled_ = true;
  }
  said_.notify_one();
}

void WakeRelay::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  said_.notify_one();
}

void WakeRelay::begin() {
  events_.emplace();
  thread_ = device::DeviceThread([this] { pass_on(); });
}

void WakeRelay::end() {
  stop();
  thread_.join();
  events_.reset();
}

void WakeRelay::pass_on() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    said_.wait(lock, [this] { return signalled_ || stopped_; });
    if (signalled_) events_->wake.signal();
    signalled_ = false;
  }
  events_->stop.signal();
}

}  // namespace xesim::debug
