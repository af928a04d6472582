// Conversions between the types that operands have and those that lanes are computed in.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "eu/arithmetic/narrow_float.hpp"
#include "eu/isa/data_type.hpp"

namespace xesim::eu {

template <class To, class From>
[[nodiscard]] inline To widen(From value) {
  if constexpr (std::is_same_v<From, Half>) {
    return static_cast<To>(half_to_float(value));
  } else if constexpr (std::is_same_v<From, BFloat>) {
    return static_cast<To>(bfloat_to_float(value));
  } else if constexpr (std::is_same_v<From, BFloat8>) {
    return static_cast<To>(bfloat8_to_float(value));
  } else if constexpr (std::is_same_v<From, TensorFloat>) {
    return static_cast<To>(tensor_float_to_float(value));
  } else {
    return static_cast<To>(value);
  }
}

// Towards zero; beyond the range of `To` its nearest end, zero for NaN, saturating or not.
template <class To, class From>
[[nodiscard]] inline To float_to_integer(From value) {
  if (std::isnan(value)) return 0;
  // Both bounds are powers of two (or zero), hence exact in every type.
  constexpr From kLower = static_cast<From>(std::numeric_limits<To>::min());
  const From upper = std::ldexp(From{1}, std::numeric_limits<To>::digits);
  if (value < kLower) return std::numeric_limits<To>::min();
  if (value >= upper) return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}

template <class To, class From>
[[nodiscard]] inline To clamp_integer(From value) {
  if (std::is_unsigned_v<To> && value < 0) return 0;
  using Wide = std::conditional_t<std::is_unsigned_v<To>, std::uint64_t, std::int64_t>;
  const auto wide = static_cast<Wide>(value);
  constexpr auto kMinimum = static_cast<Wide>(std::numeric_limits<To>::min());
  constexpr auto kMaximum = static_cast<Wide>(std::numeric_limits<To>::max());
  if (wide < kMinimum) return std::numeric_limits<To>::min();
  if (wide > kMaximum) return std::numeric_limits<To>::max();
  return static_cast<To>(wide);
}

// Saturation of a floating-point result: into [0, 1], zero for NaN.
template <class T>
[[nodiscard]] inline T clamp_unit(T value) {
  if (!(value > T{0})) return T{0};
  return value > T{1} ? T{1} : value;
}

// Rounds a number to an element of a floating-point type.
template <class To, class From>
[[nodiscard]] inline To round_to(From value) {
  if constexpr (std::is_same_v<To, Half>) return double_to_half(value);
  else if constexpr (std::is_same_v<To, BFloat>) return double_to_bfloat(value);
  else if constexpr (std::is_same_v<To, BFloat8>) return double_to_bfloat8(value);
  else if constexpr (std::is_same_v<To, TensorFloat>) return double_to_tensor_float(value);
  else return static_cast<To>(value);
}

// From a lane to an element of a destination, as the rounding mode says.
template <class To, bool kSaturate, class From>
[[nodiscard]] inline To narrow(From value) {
  if constexpr (std::is_floating_point_v<From>) {
    if constexpr (std::is_integral_v<To>) return float_to_integer<To>(value);
    else return round_to<To>(kSaturate ? clamp_unit(value) : value);
  } else if constexpr (std::is_integral_v<To>) {
    if constexpr (kSaturate) return clamp_integer<To>(value);
    else return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<To>) {
    const To result = static_cast<To>(value);
    return kSaturate ? clamp_unit(result) : result;
  } else {
    // An integer becomes a float once, without a step in between that would round twice: 53 bits
    // hold every integer of 32 bits, and only those are converted to narrower numbers here.
    const auto number = static_cast<double>(value);
    return round_to<To>(kSaturate ? clamp_unit(number) : number);
  }
}

}  // namespace xesim::eu
