// A command that failed, where the device goes on: what was submitted after it in its stream fails
// as well, and what waits for an event of those, as after the reset of a hardware context. That ends
// when a wait has answered a host thread DEVICE_LOST because of it. All under the Monitor's lock.
#pragma once

#include <level_zero/ze_api.h>

#include <memory>
#include <string>
#include <utility>

namespace xesim::driver {

struct Failure {
  std::string reason;  // a line for the user
  bool known = false;  // to a host thread
};

// Of a stream, an event or a fence: the failure that it has to tell.
class FailureToTell {
 public:
  [[nodiscard]] bool present() const { return failure_ != nullptr; }
  // What others that depend on it fail with; null when nothing failed, or a host thread knows.
  [[nodiscard]] std::shared_ptr<Failure> spreading() const {
    return failure_ != nullptr && !failure_->known ? failure_ : nullptr;
  }
  void set(std::shared_ptr<Failure> failure) { failure_ = std::move(failure); }
  void clear() { failure_.reset(); }
  // A host thread learns of it.
  std::string tell() {
    failure_->known = true;
    return std::exchange(failure_, nullptr)->reason;
  }

 private:
  std::shared_ptr<Failure> failure_;
};

}  // namespace xesim::driver
