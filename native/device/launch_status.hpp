// How a launch ended.
#pragma once

#include <cstdint>
#include <string>

namespace xesim::device {

enum class LaunchStatus : std::uint8_t {
  Complete,
  Lost,     // a thread cannot go on, and no debugger is attached
  Refused,  // a thread came to an instruction that the emulator does not execute, and no debugger is attached;
            // or the launch asks for more than the device has
};

struct LaunchEnd {
  LaunchStatus status = LaunchStatus::Complete;
  std::string reason;  // why it is not Complete
};

}  // namespace xesim::device
