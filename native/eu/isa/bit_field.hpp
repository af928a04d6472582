// Bit fields of instruction words: the C++ side of zedbg/xe/isa/fields.py.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace xesim::eu {

// A native instruction word; a compacted one lies in `low`.
struct Word {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// `width` bits (1 to 64) from bit `low` upwards; never across bit 64.
struct Segment {
  std::uint8_t low = 0;
  std::uint8_t width = 0;
};

// A value of up to 64 bits in one or more segments, least significant first. Without segments it
// is absent from the platform, and reads as zero.
struct Field {
  static constexpr std::size_t kMaxSegments = 8;
  std::uint8_t count = 0;
  std::array<Segment, kMaxSegments> segments{};

  [[nodiscard]] constexpr unsigned width() const {
    unsigned bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits += segments[i].width;
    return bits;
  }
};

[[nodiscard]] constexpr std::uint64_t low_mask(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

[[nodiscard]] constexpr std::uint64_t extract(const Word& word, const Field& field) {
  std::uint64_t value = 0;
  unsigned position = 0;
  for (std::size_t i = 0; i < field.count; ++i) {
    const Segment segment = field.segments[i];
    const std::uint64_t half = segment.low < 64 ? word.low : word.high;
    value |= ((half >> (segment.low & 63)) & low_mask(segment.width)) << position;
    position += segment.width;
  }
  return value;
}

[[nodiscard]] constexpr std::int64_t extract_signed(const Word& word, const Field& field) {
  const unsigned unused = 64 - field.width();
  return static_cast<std::int64_t>(extract(word, field) << unused) >> unused;
}

// Sets the bits of `field` in `word`, which must be clear, to `value`.
constexpr void insert(Word& word, const Field& field, std::uint64_t value) {
  for (std::size_t i = 0; i < field.count; ++i) {
    const Segment segment = field.segments[i];
    std::uint64_t& half = segment.low < 64 ? word.low : word.high;
    half |= (value & low_mask(segment.width)) << (segment.low & 63);
    value >>= segment.width & 63;
  }
}

}  // namespace xesim::eu
