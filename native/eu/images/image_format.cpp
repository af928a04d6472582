#include "eu/images/image_format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "eu/arithmetic/narrow_float.hpp"

namespace xesim::eu {
namespace {

// Channels that follow each other from the lowest bit on: red, green, blue, alpha.
constexpr ImageFormat in_order(std::uint16_t code, const char* name, NumericType type,
                               std::array<std::uint8_t, 4> widths) {
  ImageFormat format{code, name, type, 0, {}};
  unsigned low = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    format.channels[i] = {static_cast<std::uint8_t>(low), widths[i]};
    low += widths[i];
  }
  format.bytes = static_cast<std::uint8_t>(low / 8);
  return format;
}

// The same with red and blue exchanged.
constexpr ImageFormat blue_first(std::uint16_t code, const char* name, NumericType type,
                                 std::array<std::uint8_t, 4> widths) {
  ImageFormat format = in_order(code, name, type, widths);
  std::swap(format.channels[0], format.channels[2]);
  return format;
}

using enum NumericType;
constexpr ImageFormat kFormats[] = {
    in_order(0x000, "R32G32B32A32_FLOAT", Float, {32, 32, 32, 32}),
    in_order(0x001, "R32G32B32A32_SINT", Sint, {32, 32, 32, 32}),
    in_order(0x002, "R32G32B32A32_UINT", Uint, {32, 32, 32, 32}),
    in_order(0x080, "R16G16B16A16_UNORM", Unorm, {16, 16, 16, 16}),
    in_order(0x081, "R16G16B16A16_SNORM", Snorm, {16, 16, 16, 16}),
    in_order(0x082, "R16G16B16A16_SINT", Sint, {16, 16, 16, 16}),
    in_order(0x083, "R16G16B16A16_UINT", Uint, {16, 16, 16, 16}),
    in_order(0x084, "R16G16B16A16_FLOAT", Float, {16, 16, 16, 16}),
    in_order(0x085, "R32G32_FLOAT", Float, {32, 32}),
    in_order(0x086, "R32G32_SINT", Sint, {32, 32}),
    in_order(0x087, "R32G32_UINT", Uint, {32, 32}),
    blue_first(0x0C0, "B8G8R8A8_UNORM", Unorm, {8, 8, 8, 8}),
    in_order(0x0C2, "R10G10B10A2_UNORM", Unorm, {10, 10, 10, 2}),
    in_order(0x0C4, "R10G10B10A2_UINT", Uint, {10, 10, 10, 2}),
    in_order(0x0C7, "R8G8B8A8_UNORM", Unorm, {8, 8, 8, 8}),
    in_order(0x0C9, "R8G8B8A8_SNORM", Snorm, {8, 8, 8, 8}),
    in_order(0x0CA, "R8G8B8A8_SINT", Sint, {8, 8, 8, 8}),
    in_order(0x0CB, "R8G8B8A8_UINT", Uint, {8, 8, 8, 8}),
    in_order(0x0CC, "R16G16_UNORM", Unorm, {16, 16}),
    in_order(0x0CD, "R16G16_SNORM", Snorm, {16, 16}),
    in_order(0x0CE, "R16G16_SINT", Sint, {16, 16}),
    in_order(0x0CF, "R16G16_UINT", Uint, {16, 16}),
    in_order(0x0D0, "R16G16_FLOAT", Float, {16, 16}),
    blue_first(0x0D1, "B10G10R10A2_UNORM", Unorm, {10, 10, 10, 2}),
    in_order(0x0D3, "R11G11B10_FLOAT", Float, {11, 11, 10}),
    in_order(0x0D6, "R32_SINT", Sint, {32}),
    in_order(0x0D7, "R32_UINT", Uint, {32}),
    in_order(0x0D8, "R32_FLOAT", Float, {32}),
    blue_first(0x100, "B5G6R5_UNORM", Unorm, {5, 6, 5}),
    blue_first(0x102, "B5G5R5A1_UNORM", Unorm, {5, 5, 5, 1}),
    blue_first(0x104, "B4G4R4A4_UNORM", Unorm, {4, 4, 4, 4}),
    in_order(0x106, "R8G8_UNORM", Unorm, {8, 8}),
    in_order(0x107, "R8G8_SNORM", Snorm, {8, 8}),
    in_order(0x108, "R8G8_SINT", Sint, {8, 8}),
    in_order(0x109, "R8G8_UINT", Uint, {8, 8}),
    in_order(0x10A, "R16_UNORM", Unorm, {16}),
    in_order(0x10B, "R16_SNORM", Snorm, {16}),
    in_order(0x10C, "R16_SINT", Sint, {16}),
    in_order(0x10D, "R16_UINT", Uint, {16}),
    in_order(0x10E, "R16_FLOAT", Float, {16}),
    in_order(0x140, "R8_UNORM", Unorm, {8}),
    in_order(0x141, "R8_SNORM", Snorm, {8}),
    in_order(0x142, "R8_SINT", Sint, {8}),
    in_order(0x143, "R8_UINT", Uint, {8}),
    in_order(0x144, "A8_UNORM", Unorm, {0, 0, 0, 8}),
};

constexpr std::uint32_t low_bits(unsigned width) { return ~std::uint32_t{0} >> (32 - width); }

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// Unsigned floats of 11 and 10 bits are halves without a sign and with fewer bits of mantissa.
constexpr unsigned kHalfBitsBelowSign = 15;

std::uint32_t from_memory(NumericType type, unsigned width, std::uint32_t raw) {
  const auto sign_extended =
      static_cast<std::int32_t>(raw << (32 - width)) >> (32 - width);
  switch (type) {
    case NumericType::Unorm:
      return bits_of(static_cast<float>(static_cast<double>(raw) / low_bits(width)));
    case NumericType::Snorm:
      // The most negative number stands for -1 as well.
      return bits_of(static_cast<float>(
          std::max(static_cast<double>(sign_extended) / low_bits(width - 1), -1.0)));
    case NumericType::Uint:
      return raw;
    case NumericType::Sint:
      return static_cast<std::uint32_t>(sign_extended);
    case NumericType::Float:
      break;
  }
  if (width == 32) {
    return raw;
  }
  const unsigned shift = width < 16 ? kHalfBitsBelowSign - width : 0;
  return bits_of(half_to_float(Half{static_cast<std::uint16_t>(raw << shift)}));
}

std::uint32_t normalized(float value, double least, double scale) {
  const double clamped = std::isnan(value) ? 0.0 : std::clamp(static_cast<double>(value), least, 1.0);
  return static_cast<std::uint32_t>(std::llrint(clamped * scale));
}

std::uint32_t to_memory(NumericType type, unsigned width, std::uint32_t bits) {
  switch (type) {
    case NumericType::Unorm:
      return normalized(float_of(bits), 0.0, low_bits(width));
    case NumericType::Snorm:
      return normalized(float_of(bits), -1.0, low_bits(width - 1)) & low_bits(width);
    case NumericType::Uint:
      return std::min(bits, low_bits(width));
    case NumericType::Sint: {
      const auto most = static_cast<std::int32_t>(low_bits(width - 1));
      return static_cast<std::uint32_t>(
                 std::clamp(static_cast<std::int32_t>(bits), -most - 1, most)) &
             low_bits(width);
    }
    case NumericType::Float:
      break;
  }
  if (width == 32) {
    return bits;
  }
  const float value = float_of(bits);
  if (width == 16) {
    return double_to_half(value).bits;
  }
  // Negative numbers have no place in an unsigned float.
  const std::uint32_t half = value < 0 ? 0 : double_to_half(value).bits & 0x7FFFu;
  return half >> (kHalfBitsBelowSign - width);
}

std::uint32_t missing_channel(const ImageFormat& format, std::size_t channel) {
  if (channel != 3) {
    return 0;
  }
  return format.is_integer() ? 1 : bits_of(1.0F);
}

}  // namespace

const ImageFormat* find_image_format(std::uint32_t code) {
  const auto* found = std::ranges::lower_bound(kFormats, code, {}, &ImageFormat::code);
  return found != std::end(kFormats) && found->code == code ? found : nullptr;
}

Texel read_texel(const ImageFormat& format, const std::byte* memory) {
  Texel texel{};
  for (std::size_t i = 0; i < texel.size(); ++i) {
    const FormatChannel channel = format.channels[i];
    if (channel.width == 0) {
      texel[i] = missing_channel(format, i);
      continue;
    }
    // A channel lies within 32 bits from its byte on, for those that are not whole bytes start
    // in the first four.
    const unsigned start = format.bytes <= 4 ? 0 : channel.low / 8;
    std::uint32_t word = 0;
    std::memcpy(&word, memory + start, std::min<std::size_t>(sizeof word, format.bytes - start));
    texel[i] = from_memory(format.type, channel.width,
                           word >> (channel.low - 8 * start) & low_bits(channel.width));
  }
  return texel;
}

void write_texel(const ImageFormat& format, const Texel& texel, std::byte* memory) {
  for (std::size_t i = 0; i < texel.size(); ++i) {
    const FormatChannel channel = format.channels[i];
    if (channel.width == 0) {
      continue;
    }
    const unsigned start = format.bytes <= 4 ? 0 : channel.low / 8;
    const std::size_t size = std::min<std::size_t>(sizeof(std::uint32_t), format.bytes - start);
    const unsigned shift = channel.low - 8 * start;
    std::uint32_t word = 0;
    std::memcpy(&word, memory + start, size);
    word &= ~(low_bits(channel.width) << shift);
    word |= to_memory(format.type, channel.width, texel[i]) << shift;
    std::memcpy(memory + start, &word, size);
  }
}

Texel border_texel(const ImageFormat& format) {
  Texel texel{};
  for (std::size_t i = 0; i < texel.size(); ++i) {
    texel[i] = format.channels[i].width == 0 ? missing_channel(format, i) : 0;
  }
  return texel;
}

}  // namespace xesim::eu
