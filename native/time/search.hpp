// Looks for what threads did in a stretch of a launch: runs it again with an observer.
#pragma once

#include <cstdint>
#include <vector>

#include "time/query.hpp"
#include "time/replay.hpp"

namespace xesim::time {

struct Found {
  Replay::Outcome outcome = Replay::Outcome::Reached;
  std::vector<Hit> hits;                 // in the order of the search
  std::uint64_t searched_to = 0;         // where to go on: the next first, or backward the next end
};

[[nodiscard]] Found search(Replay& replay, device::Device& device, const Query& query,
                           const Cancelled& cancelled);

}  // namespace xesim::time
