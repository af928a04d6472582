// Answers a debugger's requests about time; on the debuggee's side.
#pragma once

#include <optional>

#include "debug/channel.hpp"
#include "device/device.hpp"
#include "time/time_machine.hpp"

namespace xesim::debug {

class TimeRequests {
 public:
  TimeRequests(device::Device& device, time::TimeMachine& machine)
      : device_(device), machine_(machine) {}

  // Whether a frame of this kind is for here.
  [[nodiscard]] static bool answers(wire::Kind kind);
  // Nothing when the frame is not a valid request. `cancelled`: see time/replay.hpp.
  std::optional<wire::Reply> answer(const Frame& frame, const time::Cancelled& cancelled);

 private:
  using Answer = std::optional<wire::Reply>;
  Answer answer(const wire::GetRecording& request);
  Answer answer(const wire::SetRecording& request);
  Answer answer(const wire::GoTo& request, const time::Cancelled& cancelled);
  Answer answer(const wire::Find& request, const time::Cancelled& cancelled);

  device::Device& device_;
  time::TimeMachine& machine_;
};

}  // namespace xesim::debug
