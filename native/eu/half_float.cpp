#include "eu/half_float.hpp"

#include <bit>
#include <cfenv>
#include <cstdint>

namespace xesim::eu {

namespace {

// Whether a magnitude that lies between two representable ones goes to the upper one.
// `rest` are the bits below the last kept one, `half` the value of half a unit of it.
bool rounds_up(std::uint64_t kept, std::uint64_t rest, std::uint64_t half, bool negative) {
  switch (std::fegetround()) {
    case FE_UPWARD: return rest != 0 && !negative;
    case FE_DOWNWARD: return rest != 0 && negative;
    case FE_TOWARDZERO: return false;
    default: return rest > half || (rest == half && (kept & 1) != 0);
  }
}

// The 16 bits of a number whose format has `kExponentBits` and 15 - kExponentBits of mantissa.
template <unsigned kExponentBits>
std::uint16_t narrow(double value) {
  constexpr unsigned kMantissaBits = 15 - kExponentBits;
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr std::uint16_t kInfinity = ((1u << kExponentBits) - 1) << kMantissaBits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = bits >> 63 != 0;
  const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7FF) {
    if (mantissa == 0) return sign | kInfinity;
    const auto payload = static_cast<std::uint16_t>(mantissa >> (52 - kMantissaBits));
    return sign | kInfinity | 1u << (kMantissaBits - 1) | payload;
  }
  if (exponent == 0 && mantissa == 0) return sign;
  const std::uint64_t significand = exponent == 0 ? mantissa : mantissa | std::uint64_t{1} << 52;
  int target = exponent - 1023 + kBias;
  // Below the smallest normal number the unit stays the same: more bits are dropped.
  int dropped = 52 - static_cast<int>(kMantissaBits);
  if (target < 1) dropped += 1 - target;
  if (dropped > 62) dropped = 62;  // all that is left of the significand is "not zero"
  std::uint64_t kept = significand >> dropped;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
  if (rounds_up(kept, rest, std::uint64_t{1} << (dropped - 1), negative)) ++kept;
  // A carry out of the mantissa raises the exponent by itself.
  const std::uint64_t biased =
      target < 1 ? kept : kept + (static_cast<std::uint64_t>(target - 1) << kMantissaBits);
  if (biased >= kInfinity) {
    const int mode = std::fegetround();
    const bool stays_finite = mode == FE_TOWARDZERO || (mode == FE_UPWARD && negative) ||
                              (mode == FE_DOWNWARD && !negative);
    return sign | static_cast<std::uint16_t>(stays_finite ? kInfinity - 1 : kInfinity);
  }
  return sign | static_cast<std::uint16_t>(biased);
}

}  // namespace

float half_to_float(Half value) {
  const std::uint32_t sign = (value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = value.bits >> 10 & 0x1F;
  const std::uint32_t mantissa = value.bits & 0x3FF;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

float bfloat_to_float(BFloat value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

Half double_to_half(double value) { return Half{narrow<5>(value)}; }


BFloat double_to_bfloat(double value) { return BFloat{narrow<8>(value)}; }

}  // namespace xesim::eu
