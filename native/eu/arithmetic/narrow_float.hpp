// Floating point of fewer than 32 bits: IEEE binary16 (:hf), bfloat16 (:bf), its counterpart of
// eight bits with the exponent of binary16 (:bf8), and the 19 bits of TensorFloat-32 (:tf32).
#pragma once

#include <cstdint>

#include "eu/isa/data_type.hpp"

namespace xesim::eu {

// Exact; keeps NaN payloads.
[[nodiscard]] float half_to_float(Half value);
[[nodiscard]] float bfloat_to_float(BFloat value);
[[nodiscard]] float bfloat8_to_float(BFloat8 value);
[[nodiscard]] float tensor_float_to_float(TensorFloat value);

// Rounds as the floating-point environment says (fegetround), with gradual underflow.
[[nodiscard]] Half double_to_half(double value);
[[nodiscard]] BFloat double_to_bfloat(double value);
[[nodiscard]] BFloat8 double_to_bfloat8(double value);
[[nodiscard]] TensorFloat double_to_tensor_float(double value);

// Rounds towards zero once the low bits of `random` are added below the last bit that is kept: 13
// for a binary16 number of a float, 8 for a bf8 number of a binary16 one.
[[nodiscard]] Half float_to_half_at_random(float value, std::uint32_t random);
[[nodiscard]] BFloat8 half_to_bfloat8_at_random(Half value, std::uint32_t random);

}  // namespace xesim::eu
