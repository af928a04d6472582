// Conversions between the types that operands have and those that lanes are computed in.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "eu/data_type.hpp"
#include "eu/half_float.hpp"

namespace xesim::eu {

template <class To, class From>
[[nodiscard]] inline To widen(From value) {
  if constexpr (std::is_same_v<From, Half>) {
    return static_cast<To>(half_to_float(value));
  } else if constexpr (std::is_same_v<From, BFloat>) {
    return static_cast<To>(bfloat_to_float(value));
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

// From a lane to an element of a destination, as the rounding mode says.
template <class To, bool kSaturate, class From>
[[nodiscard]] inline To narrow(From value) {
  if constexpr (std::is_floating_point_v<From>) {
    if constexpr (std::is_integral_v<To>) {
      return float_to_integer<To>(value);
    } else {
      const From result = kSaturate ? clamp_unit(value) : value;
      if constexpr (std::is_same_v<To, Half>) return double_to_half(result);
      else if constexpr (std::is_same_v<To, BFloat>) return double_to_bfloat(result);
      else return static_cast<To>(result);
    }
  } else if constexpr (std::is_integral_v<To>) {
    if constexpr (kSaturate) return clamp_integer<To>(value);
    else return static_cast<To>(value);
  } else {
    // An integer becomes a float once, without a step in between that would round twice: 53 bits
    // hold every integer of 32 bits, and only those are converted to 16-bit numbers.
    if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat>) {
      const double result = kSaturate ? clamp_unit(static_cast<double>(value))
                                      : static_cast<double>(value);
      if constexpr (std::is_same_v<To, Half>) return double_to_half(result);
      else return double_to_bfloat(result);
    } else {
      const To result = static_cast<To>(value);
      return kSaturate ? clamp_unit(result) : result;
    }
  }
}

}  // namespace xesim::eu
