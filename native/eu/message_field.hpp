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
};

}  // namespace xesim::eu
