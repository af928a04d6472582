// How a launch ended.
#pragma once

#include <cstdint>

namespace xesim::device {

// Why it ended before its end, Device::lost_reason() says.
enum class LaunchStatus : std::uint8_t {
  Complete,
  Lost,     // a thread cannot go on, and no debugger is attached
  Refused,  // a thread came to an instruction that the emulator does not execute, and no debugger is attached;
            // or the launch asks for more than the device has
};

}  // namespace xesim::device
