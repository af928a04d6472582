#include "time/recording.hpp"

#include <algorithm>
#include <utility>

namespace xesim::time {

std::size_t Recording::keyframe_before(std::uint64_t time) const {
  const auto after = std::ranges::upper_bound(
      keyframes, time, {}, [](const auto& keyframe) { return keyframe->time; });
  return static_cast<std::size_t>(after - keyframes.begin()) - (after == keyframes.begin() ? 0 : 1);
}

void Recording::add(std::shared_ptr<const Keyframe> keyframe) {
  const auto after = std::ranges::upper_bound(
      keyframes, keyframe->time, {}, [](const auto& each) { return each->time; });
  keyframes.insert(after, std::move(keyframe));
}

std::uint64_t Recording::list_bytes() const {
  std::uint64_t bytes = sizeof(Recording) + log.size() + written.size();
  const Allocations* last = nullptr;
  for (const auto& keyframe : keyframes) {
    const Allocations* const listed = keyframe->allocations.get();
    bytes += keyframe->blocks.size() * sizeof(Blocks::value_type);
    bytes += listed == std::exchange(last, listed) ? 0 : listed->size() * sizeof(device::Allocation);
  }
  return bytes;
}

}  // namespace xesim::time
