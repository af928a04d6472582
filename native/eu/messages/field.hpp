// Bit fields of message descriptors and payload dwords.
#pragma once

#include <cstdint>

namespace xesim::eu {

struct DescriptorField {
  unsigned low;    // lowest bit
  unsigned width;  // bits
  [[nodiscard]] constexpr std::uint32_t of(std::uint32_t word) const {
    return (word >> low) & ((1u << width) - 1u);
  }
  // Two's complement of `width` bits.
  [[nodiscard]] constexpr std::int32_t signed_of(std::uint32_t word) const {
    return static_cast<std::int32_t>(of(word) << (32 - width)) >> (32 - width);
  }
};

}  // namespace xesim::eu
