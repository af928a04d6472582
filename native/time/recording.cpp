#include "time/recording.hpp"

#include <algorithm>

namespace xesim::time {

std::size_t Recording::keyframe_before(std::uint64_t time) const {
  const auto after = std::ranges::upper_bound(
      keyframes, time, {}, [](const auto& keyframe) { return keyframe->time; });
  return static_cast<std::size_t>(after - keyframes.begin()) - (after == keyframes.begin() ? 0 : 1);
}

}  // namespace xesim::time
