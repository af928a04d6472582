// Watches what threads access as they run.
#pragma once

#include <cstdint>

#include "device/hardware_thread.hpp"
#include "eu/thread/access_watch.hpp"

namespace xesim::device {

// Called while the device is locked; must not change it.
class RunWatch : public eu::AccessWatch {
 public:
  // Before `thread` runs, at `time` of the launch: see Executor::time().
  virtual void begin_run(const HardwareThread& thread, std::uint64_t time) = 0;
};

}  // namespace xesim::device
