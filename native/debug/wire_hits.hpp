// Hits of searches and watches, as the wire has them.
#pragma once

#include <cstdint>

#include "debug/wire.hpp"
#include "time/query.hpp"

namespace xesim::debug {

inline wire::FindHit wire_hit(const time::Hit& hit, std::uint32_t launch) {
  return {.time = hit.time,
          .instruction = hit.instruction,
          .thread = hit.thread,
          .kinds = hit.kinds,
          .lanes = hit.lanes,
          .group_x = hit.group[0],
          .group_y = hit.group[1],
          .group_z = hit.group[2],
          .launch = launch,
          .address = hit.address,
          .size = hit.size,
          .lane = hit.lane,
          .old_value = {hit.old_value.begin(), hit.old_value.begin() + hit.size},
          .new_value = {hit.new_value.begin(), hit.new_value.begin() + hit.size}};
}

}  // namespace xesim::debug
