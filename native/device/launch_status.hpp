// How a launch ended.
#pragma once

#include <cstdint>

namespace xesim::device {

enum class LaunchStatus : std::uint8_t {
  Complete,
  Lost,       // a thread cannot go on and no debugger is attached; see Device::lost_reason()
};

}  // namespace xesim::device
