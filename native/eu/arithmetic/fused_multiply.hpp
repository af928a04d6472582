// Fused multiply-add of a block of lanes, by the host's instructions where it has them.
#pragma once

namespace xesim::eu {

inline constexpr unsigned kFusedLanes = 8;

// result[n] = a[n] * b[n] + addend[n], rounded once, for kFusedLanes lanes.
using FusedBlock = void (*)(const float* addend, const float* a, const float* b, float* result);

extern const FusedBlock fuse_block;

}  // namespace xesim::eu
