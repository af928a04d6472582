// How a message ended.
#pragma once

#include <cstdint>
#include <string>

#include "eu/thread/environment.hpp"

namespace xesim::eu {

enum class MessageOutcome : std::uint8_t {
  Done,
  EndOfThread,
  PageFault,     // nothing was written: not memory, not registers
  Unsupported,   // likewise; `report` names the message and its descriptor
};

struct MessageResult {
  MessageOutcome outcome = MessageOutcome::Done;
  PageFault fault;
  std::string report;
};

}  // namespace xesim::eu
