// Bit fields of messages: the C++ side of zedbg/xe/isa/messages.py.
#pragma once

#include <cstdint>
#include <span>

namespace xesim::eu {

// Of a descriptor.
struct DescriptorField {
  unsigned low;    // lowest bit
  unsigned width;  // bits, 1 to 32
  [[nodiscard]] constexpr std::uint32_t of(std::uint32_t word) const {
    return (word >> low) & (~0u >> (32 - width));
  }
  // Two's complement of `width` bits.
  [[nodiscard]] constexpr std::int32_t signed_of(std::uint32_t word) const {
    return static_cast<std::int32_t>(of(word) << (32 - width)) >> (32 - width);
  }
};

// Of a payload: a field of one of its dwords.
struct PayloadField {
  unsigned dword;
  DescriptorField bits;
  [[nodiscard]] constexpr std::uint32_t of(std::span<const std::uint32_t> payload) const {
    return bits.of(payload[dword]);
  }
  [[nodiscard]] constexpr std::int32_t signed_of(std::span<const std::uint32_t> payload) const {
    return bits.signed_of(payload[dword]);
  }
};

}  // namespace xesim::eu
