// Fences: signalled when everything that was given to zeCommandQueueExecuteCommandLists with them
// is done.
#pragma once

#include "driver/handle.hpp"

namespace xesim::driver {

// The state belongs to the Monitor's lock.
class Fence : public Object<Fence> {
 public:
  explicit Fence(bool signalled) : signalled_(signalled) {}

  [[nodiscard]] bool signalled() const { return signalled_; }
  void set_signalled(bool signalled) { signalled_ = signalled; }

 private:
  bool signalled_;
};

}  // namespace xesim::driver
