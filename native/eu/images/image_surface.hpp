// Images and samplers as messages see them: what a surface state and a sampler state say.
#pragma once

#include <array>
#include <cstdint>

#include "eu/images/image_format.hpp"

namespace xesim::eu {

enum class ImageShape : std::uint8_t { Line, Plane, Volume, Buffer };

// Where a channel of what a shader sees comes from ("Shader Channel Select").
enum class ChannelSelect : std::uint8_t { Zero = 0, One = 1, Red = 4, Green = 5, Blue = 6, Alpha = 7 };

struct ImageSurface {
  // Why no image is there; a string literal, or null.
  const char* unsupported = "no surface state there";
  ImageShape shape = ImageShape::Plane;
  bool is_array = false;
  const ImageFormat* format = nullptr;
  std::array<ChannelSelect, 4> select{ChannelSelect::Red, ChannelSelect::Green,
                                      ChannelSelect::Blue, ChannelSelect::Alpha};
  std::uint32_t width = 0;         // texels
  std::uint32_t height = 1;        // rows of texels
  std::uint32_t depth = 1;         // slices of a volume, or elements of an array
  std::uint64_t base = 0;          // global address of the first texel
  std::uint32_t row_pitch = 0;     // bytes
  std::uint64_t slice_pitch = 0;   // bytes
};

enum class AddressClamp : std::uint8_t { Wrap, Mirror, Edge, Border };

struct Sampler {
  // Why no sampler is there; a string literal, or null.
  const char* unsupported = "no sampler state there";
  bool linear = false;       // filter; else nearest
  bool normalized = true;    // coordinates in [0, 1]
  std::array<AddressClamp, 3> address{AddressClamp::Edge, AddressClamp::Edge, AddressClamp::Edge};
  std::array<float, 4> border{};  // red, green, blue, alpha
};

// Whose state a message asks for: a table of the kernel's, or the heap.
struct StateReference {
  bool bindless = false;
  std::uint32_t position = 0;  // index in the table, or byte offset in the heap
};

}  // namespace xesim::eu
