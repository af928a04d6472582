// What lanes are computed with: numbers that the host has no type for, and types of lanes.
#pragma once

#include <cstdint>

#include "eu/isa/names.hpp"

namespace xesim::eu {

// Numbers that the host does not compute with: storage only.
struct Half {
  std::uint16_t bits;
};
struct BFloat {
  std::uint16_t bits;
};
struct BFloat8 {
  std::uint8_t bits;
};
struct TensorFloat {
  std::uint32_t bits;  // the lowest 13 mean nothing
};

// The type in which a lane is computed: operands are widened to it, results narrowed from it.
enum class LaneType : std::uint8_t { Int32, Int64, Float32, Float64 };

}  // namespace xesim::eu
