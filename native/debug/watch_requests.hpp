// Answers a debugger's requests about watches; on the debuggee's side.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "debug/channel.hpp"
#include "device/device.hpp"
#include "time/time_machine.hpp"
#include "time/watches.hpp"

namespace xesim::debug {

class WatchRequests {
 public:
  WatchRequests(device::Device& device, time::TimeMachine& past)
      : device_(device), past_(past), watches_(device.topology(), device.memory()) {}

  // Whether a frame of this kind is for here.
  [[nodiscard]] static bool answers(wire::Kind kind);
  // Nothing when the frame is not a valid request.
  std::optional<wire::Reply> answer(const Frame& frame);
  // The debugger has left.
  void end();

 private:
  using Answer = std::optional<wire::Reply>;
  Answer answer(const wire::SetWatch& request);
  Answer answer(const wire::ClearWatch& request);
  Answer answer(const wire::GetWatchHits& request);
  // After a change, with a Pause: threads are watched while there is a watch.
  void arm();

  device::Device& device_;
  time::TimeMachine& past_;
  time::Watches watches_;
  struct Ranges {
    std::vector<wire::FindRange> asked;
    std::vector<time::Range> known;
  };
  std::map<std::uint64_t, Ranges> ranges_;   // by watch
};

}  // namespace xesim::debug
