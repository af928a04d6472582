#include "eu/arithmetic/narrow_float.hpp"

#include <bit>
#include <cfenv>
#include <cstdint>

namespace xesim::eu {

namespace {

// The rounding of a magnitude that lies between two representable ones. `kept` are its bits that
// fit, `rest` the `dropped` ones below.
struct ByRoundingMode {
  [[nodiscard]] bool up(std::uint64_t kept, std::uint64_t rest, int dropped, bool negative) const {
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    switch (mode) {
      case FE_UPWARD: return rest != 0 && !negative;
      case FE_DOWNWARD: return rest != 0 && negative;
      case FE_TOWARDZERO: return false;
      default: return rest > half || (rest == half && (kept & 1) != 0);
    }
  }
  // Whether a magnitude beyond the largest finite number becomes that number.
  [[nodiscard]] bool stays_finite(bool negative) const {
    return mode == FE_TOWARDZERO || (mode == FE_UPWARD && negative) ||
           (mode == FE_DOWNWARD && !negative);
  }

  int mode = std::fegetround();
};

// The random bits stand for a fraction of the last kept bit's value.
struct AtRandom {
  [[nodiscard]] bool up(std::uint64_t, std::uint64_t rest, int dropped, bool) const {
    const std::uint64_t one = std::uint64_t{1} << dropped;
    const auto bits = static_cast<int>(random_bits);
    const std::uint64_t part = random & ((std::uint64_t{1} << bits) - 1);
    return rest + (dropped >= bits ? part << (dropped - bits) : part >> (bits - dropped)) >= one;
  }
  [[nodiscard]] static bool stays_finite(bool) { return false; }

  std::uint64_t random;
  unsigned random_bits;
};

// The bits of a number whose format has that many bits of exponent and mantissa.
template <unsigned kExponentBits, unsigned kMantissaBits, class Rounding>
std::uint32_t narrow(double value, const Rounding& rounding) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr std::uint32_t kInfinity = ((1u << kExponentBits) - 1) << kMantissaBits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = bits >> 63 != 0;
  const std::uint32_t sign = negative ? 1u << (kExponentBits + kMantissaBits) : 0;
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7FF) {
    if (mantissa == 0) return sign | kInfinity;
    const auto payload = static_cast<std::uint32_t>(mantissa >> (52 - kMantissaBits));
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
  if (rounding.up(kept, rest, dropped, negative)) ++kept;
  // A carry out of the mantissa raises the exponent by itself.
  const std::uint64_t biased =
      target < 1 ? kept : kept + (static_cast<std::uint64_t>(target - 1) << kMantissaBits);
  if (biased >= kInfinity) {
    return sign | (rounding.stays_finite(negative) ? kInfinity - 1 : kInfinity);
  }
  return sign | static_cast<std::uint32_t>(biased);
}

constexpr unsigned kTensorFloatShift = 13;  // its 19 bits are the upper ones of a dword

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

// The upper half of a binary16 number.
float bfloat8_to_float(BFloat8 value) {
  return half_to_float(Half{static_cast<std::uint16_t>(value.bits << 8)});
}

float tensor_float_to_float(TensorFloat value) {
  return std::bit_cast<float>(value.bits >> kTensorFloatShift << kTensorFloatShift);
}

Half double_to_half(double value) {
  return Half{static_cast<std::uint16_t>(narrow<5, 10>(value, ByRoundingMode{}))};
}

BFloat double_to_bfloat(double value) {
  return BFloat{static_cast<std::uint16_t>(narrow<8, 7>(value, ByRoundingMode{}))};
}

BFloat8 double_to_bfloat8(double value) {
  return BFloat8{static_cast<std::uint8_t>(narrow<5, 2>(value, ByRoundingMode{}))};
}

TensorFloat double_to_tensor_float(double value) {
  return TensorFloat{narrow<8, 10>(value, ByRoundingMode{}) << kTensorFloatShift};
}

Half float_to_half_at_random(float value, std::uint32_t random) {
  return Half{static_cast<std::uint16_t>(narrow<5, 10>(value, AtRandom{random, 13}))};
}

BFloat8 half_to_bfloat8_at_random(Half value, std::uint32_t random) {
  const auto bits = narrow<5, 2>(half_to_float(value), AtRandom{random, 8});
  return BFloat8{static_cast<std::uint8_t>(bits)};
}

}  // namespace xesim::eu
