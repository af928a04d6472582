// What zeDriverGetLastErrorDescription says: why the last call of this thread that failed did so.
#pragma once

#include <string>

namespace xesim::driver {

// Of the calling thread; empty where the result code says all.
[[nodiscard]] inline std::string& last_error() {
  thread_local std::string text;
  return text;
}

}  // namespace xesim::driver
