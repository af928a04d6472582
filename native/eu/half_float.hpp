// 16-bit floating point: IEEE binary16 (:hf) and bfloat16 (:bf).
#pragma once

#include "eu/data_type.hpp"

namespace xesim::eu {

// Exact; keeps NaN payloads.
[[nodiscard]] float half_to_float(Half value);
[[nodiscard]] float bfloat_to_float(BFloat value);

// Rounds as the floating-point environment says (fegetround), with gradual underflow.
[[nodiscard]] Half double_to_half(double value);
[[nodiscard]] BFloat double_to_bfloat(double value);

}  // namespace xesim::eu
