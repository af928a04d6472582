// What the device reports of its threads to a debugger.
#pragma once

#include "device/hardware_thread.hpp"

namespace xesim::device {

// Called for exceptions while the device is locked; must not block and must not call back.
class ExceptionListener {
 public:
  virtual ~ExceptionListener() = default;
  virtual void exception_taken(const HardwareThread& thread) = 0;
  // Exceptions were taken, and now the device stands still: see Device::launch().
  virtual void stops_settled() = 0;
  // The thread ended (EOT), also one that was asked to step.
  virtual void thread_ended(const ThreadId& id) = 0;
  // Nothing runs any more: every launch is complete.
  virtual void became_idle() = 0;
};

}  // namespace xesim::device
