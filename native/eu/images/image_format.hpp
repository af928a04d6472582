// Formats of image surfaces: how the texels of an image lie in memory.
//
// Codes are those of SURFACE_FORMAT in Intel's programmer's reference manuals ("Surface Formats"),
// as RENDER_SURFACE_STATE holds them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace xesim::eu {

enum class NumericType : std::uint8_t {
  Unorm, Snorm,     // integers that stand for [0, 1] and [-1, 1]
  Uint, Sint,
  Float,            // 32, 16, 11 or 10 bits
};

// One channel's bits in a texel; width 0: the format has no such channel.
struct FormatChannel {
  std::uint8_t low = 0;    // first bit
  std::uint8_t width = 0;  // bits
};

struct ImageFormat {
  std::uint16_t code = 0;
  const char* name = nullptr;  // as the manuals have it
  NumericType type = NumericType::Unorm;
  std::uint8_t bytes = 0;      // of one texel
  std::array<FormatChannel, 4> channels{};  // red, green, blue, alpha

  [[nodiscard]] bool is_integer() const {
    return type == NumericType::Uint || type == NumericType::Sint;
  }
};

// The format of `code`, or null when no image may have it.
[[nodiscard]] const ImageFormat* find_image_format(std::uint32_t code);

// Red, green, blue and alpha as registers hold them: the bits of a float, or of a 32-bit integer
// when the format is one.
using Texel = std::array<std::uint32_t, 4>;

// `memory` holds format.bytes bytes. Channels that the format lacks are 0, and 1 for alpha.
[[nodiscard]] Texel read_texel(const ImageFormat& format, const std::byte* memory);

// Converts as OpenCL C 6.12.14 asks of image writes: normalized values are clamped and rounded to
// nearest even, integers saturate. Both conversions expect the host to round to nearest
// (NearestRounding).
void write_texel(const ImageFormat& format, const Texel& texel, std::byte* memory);

// The texel of a format whose memory would be all zero: what is beyond an image.
[[nodiscard]] Texel border_texel(const ImageFormat& format);

}  // namespace xesim::eu
