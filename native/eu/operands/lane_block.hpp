// Loops over lanes, in blocks of a constant size that the host's compiler turns into vectors.
#pragma once

#include <array>
#include <cstdint>

namespace xesim::eu {

// Execution sizes are powers of two: either smaller than a block or whole blocks.
inline constexpr unsigned kLaneBlock = 8;

template <class T>
using Block = std::array<T, kLaneBlock>;

// The bit of each lane of a block.
inline constexpr Block<std::uint32_t> kLaneBits = {1, 2, 4, 8, 16, 32, 64, 128};
inline constexpr std::uint32_t kWholeBlock = 0xFF;

// Calls `action(lane)` for each lane.
template <class Action>
inline void for_each_lane(unsigned lanes, Action action) {
  if (lanes < kLaneBlock) {
    for (unsigned lane = 0; lane < lanes; ++lane) action(lane);
    return;
  }
  for (unsigned block = 0; block < lanes; block += kLaneBlock) {
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) action(block + lane);
  }
}

}  // namespace xesim::eu
