// RENDER_SURFACE_STATE of images.
//
// Layout (Gen9 to Xe2, 16 dwords; programmer's reference manuals, volume "Command Reference:
// Structures"): surface type in dword 0 [31:29], array flag in [28], format in [26:18], tile mode in
// [13:12] (0: linear, the only one here); distance of slices in 4 rows in dword 1 [14:0]; width and
// height minus one in dword 2 [13:0] and [29:16]; pitch minus one in dword 3 [17:0] and depth minus
// one in [31:21]; channel selects in dword 7 [27:16]; base address in dwords 8 and 9. An image of
// buffer type counts its texels as buffers do (surface_state.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "device/surface_state.hpp"
#include "eu/images/image_surface.hpp"

namespace xesim::device {

// An image in memory, with what kernels can ask of it.
struct ImageDescription {
  eu::ImageShape shape = eu::ImageShape::Plane;
  bool is_array = false;
  const eu::ImageFormat* format = nullptr;
  std::array<eu::ChannelSelect, 4> select{eu::ChannelSelect::Red, eu::ChannelSelect::Green,
                                          eu::ChannelSelect::Blue, eu::ChannelSelect::Alpha};
  std::uint32_t width = 1;              // texels
  std::uint32_t height = 1;
  std::uint32_t depth = 1;              // slices, or elements of the array
  bool is_packed = false;               // rows follow each other without gaps
  std::uint64_t base = 0;               // global address
  std::uint32_t channel_data_type = 0;  // OpenCL's cl_channel_type
  std::uint32_t channel_order = 0;      // OpenCL's cl_channel_order

  [[nodiscard]] std::uint32_t row_pitch() const;    // bytes
  [[nodiscard]] std::uint64_t slice_pitch() const;  // bytes
  [[nodiscard]] std::uint64_t size() const;         // bytes of all slices
};

// Largest extents that a state can say.
inline constexpr std::uint32_t kMostImageExtent = 1 << 14;       // width and height
inline constexpr std::uint32_t kMostImageDepth = 1 << 11;        // slices, and array elements
inline constexpr std::uint32_t kMostImageBufferTexels = 1 << 27;

[[nodiscard]] SurfaceState image_surface_state(const ImageDescription& image);

// What a state says; `unsupported` names what makes it no image.
[[nodiscard]] eu::ImageSurface decode_image_state(const SurfaceState& state);

}  // namespace xesim::device
