// Fences: signalled when everything that was given to zeCommandQueueExecuteCommandLists with them
// is done.
#pragma once

#include <memory>
#include <utility>

#include "driver/failure.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

// The state belongs to the Monitor's lock.
class Fence : public Object<Fence> {
 public:
  explicit Fence(bool signalled) : signalled_(signalled) {}

  [[nodiscard]] bool signalled() const { return signalled_; }
  [[nodiscard]] FailureToTell& failure() { return failure_; }
  // `failure`: why the commands were not all done, if so.
  void signal(std::shared_ptr<Failure> failure = nullptr) {
    signalled_ = true;
    failure_.set(std::move(failure));
  }
  void reset() {
    signalled_ = false;
    failure_.clear();
  }

 private:
  bool signalled_;
  FailureToTell failure_;
};

}  // namespace xesim::driver
