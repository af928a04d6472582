// The host's rounding mode while a shared function converts numbers.
#pragma once

#include <cfenv>

namespace xesim::eu {

// Shared functions round to nearest whatever mode the thread has chosen for its own arithmetic;
// the thread's mode is back when this goes out of scope.
class NearestRounding {
 public:
  NearestRounding() : before_(std::fegetround()) {
    if (before_ != FE_TONEAREST) {
      std::fesetround(FE_TONEAREST);
    }
  }
  ~NearestRounding() {
    if (before_ != FE_TONEAREST) {
      std::fesetround(before_);
    }
  }
  NearestRounding(const NearestRounding&) = delete;
  NearestRounding& operator=(const NearestRounding&) = delete;

 private:
  int before_;
};

}  // namespace xesim::eu
