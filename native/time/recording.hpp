// What is kept of one launch: its log, and keyframes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/launch.hpp"
#include "time/keyframe.hpp"
#include "time/launch_log.hpp"
#include "time/written_lines.hpp"

namespace xesim::time {

struct Recording {
  std::uint32_t number = 0;              // of the launch, from 1
  device::KernelLaunch launch;           // without what it owns
  std::uint64_t payload = 0;             // its address
  LaunchLog log;
  // What the launch used, as it was when it was used first: by the allocation's id, and the address.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Block> first_used;
  // By time; none: it was given up. Who replays a long stretch adds some.
  std::vector<std::shared_ptr<const Keyframe>> keyframes;
  WrittenLines written;                  // what searches have seen
  ByteCount page_bytes;                  // of all keyframes of the device
  std::uint64_t budget = UINT64_MAX;     // of those: none is added beyond it
  std::uint64_t end = 0;                 // the time that the log leads to
  bool finished = false;
  std::uint64_t ended_bytes = 0;         // list_bytes() when it had ended; about
  std::string given_up;                  // one line why, or empty
  bool unrecordable = false;             // given up for what it does, not for want of room
  // The times between which the host was seen to write memory that the launch did not: from one
  // keyframe to another.
  std::uint64_t host_write_first = 0;
  std::uint64_t host_write_end = 0;

  [[nodiscard]] std::uint64_t first() const {
    return keyframes.empty() ? end : keyframes.front()->time;
  }
  // Adds one, by its time.
  void add(std::shared_ptr<const Keyframe> keyframe);
  // Of the keyframes' lists, and the log: about, in bytes of the host.
  [[nodiscard]] std::uint64_t list_bytes() const;
  // The number of the last keyframe that is not after `time`; there is one.
  [[nodiscard]] std::size_t keyframe_before(std::uint64_t time) const;
};

}  // namespace xesim::time
