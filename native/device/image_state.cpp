#include "device/image_state.hpp"

namespace xesim::device {

namespace {

enum SurfaceType : std::uint32_t { kLine = 0, kPlane = 1, kVolume = 2, kCube = 3, kBuffer = 4, kNull = 7 };
constexpr std::uint32_t kTypeShift = 29;         // dword 0
constexpr std::uint32_t kArray = 1u << 28;       // dword 0
constexpr std::uint32_t kFormatShift = 18;       // dword 0
constexpr std::uint32_t kFormatMask = 0x1FF;
constexpr std::uint32_t kTileModeShift = 12;     // dword 0
constexpr std::uint32_t kTileModeMask = 3;
constexpr std::uint32_t kSliceRowsMask = 0x7FFF; // dword 1
constexpr std::uint32_t kSliceRowUnit = 4;
constexpr std::uint32_t kExtentMask = 0x3FFF;    // dword 2, both halves
constexpr std::uint32_t kPitchMask = 0x3FFFF;    // dword 3
constexpr std::uint32_t kDepthShift = 21;        // dword 3
constexpr std::uint32_t kDepthMask = 0x7FF;
constexpr std::uint32_t kSelectShift[] = {25, 22, 19, 16};  // dword 7: red, green, blue, alpha
constexpr std::uint32_t kRowAlignment = 64;      // bytes

std::uint32_t type_of(eu::ImageShape shape) {
  switch (shape) {
    case eu::ImageShape::Line: return kLine;
    case eu::ImageShape::Plane: return kPlane;
    case eu::ImageShape::Volume: return kVolume;
    case eu::ImageShape::Buffer: break;
  }
  return kBuffer;
}

std::uint32_t slice_rows(const ImageDescription& image) {
  return (image.height + kSliceRowUnit - 1) / kSliceRowUnit * kSliceRowUnit;
}

bool is_select(std::uint32_t value) { return value <= 1 || (value >= 4 && value <= 7); }

void decode_extents(const SurfaceState& state, eu::ImageSurface& surface) {
  surface.base = std::uint64_t{state[9]} << 32 | state[8];
  if (surface.shape == eu::ImageShape::Buffer) {
    surface.width = static_cast<std::uint32_t>(
        (std::uint64_t{state[2] & 0x7F} | std::uint64_t{state[2] >> 16 & kExtentMask} << 7 |
         std::uint64_t{state[3] >> kDepthShift & kDepthMask} << 21) +
        1);
    return;
  }
  surface.width = (state[2] & kExtentMask) + 1;
  surface.height = surface.shape == eu::ImageShape::Line ? 1 : (state[2] >> 16 & kExtentMask) + 1;
  surface.depth = (state[3] >> kDepthShift & kDepthMask) + 1;
  surface.row_pitch = (state[3] & kPitchMask) + 1;
  surface.slice_pitch =
      std::uint64_t{state[1] & kSliceRowsMask} * kSliceRowUnit * surface.row_pitch;
}

}  // namespace

std::uint32_t ImageDescription::row_pitch() const {
  const std::uint32_t bytes = width * format->bytes;
  return is_packed ? bytes : (bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

std::uint64_t ImageDescription::slice_pitch() const {
  return std::uint64_t{slice_rows(*this)} * row_pitch();
}

std::uint64_t ImageDescription::size() const {
  return shape == eu::ImageShape::Buffer ? std::uint64_t{width} * format->bytes
                                         : depth * slice_pitch();
}

SurfaceState image_surface_state(const ImageDescription& image) {
  SurfaceState state{};
  state[0] = type_of(image.shape) << kTypeShift | (image.is_array ? kArray : 0) |
             std::uint32_t{image.format->code} << kFormatShift;
  if (image.shape == eu::ImageShape::Buffer) {
    const std::uint32_t last = image.width - 1;
    state[2] = (last & 0x7F) | (last >> 7 & kExtentMask) << 16;
    state[3] = (last >> 21 & kDepthMask) << kDepthShift;
  } else {
    state[1] = slice_rows(image) / kSliceRowUnit;
    state[2] = (image.width - 1) | (image.height - 1) << 16;
    state[3] = (image.row_pitch() - 1) | (image.depth - 1) << kDepthShift;
  }
  for (std::size_t i = 0; i < image.select.size(); ++i) {
    state[7] |= static_cast<std::uint32_t>(image.select[i]) << kSelectShift[i];
  }
  state[8] = static_cast<std::uint32_t>(image.base);
  state[9] = static_cast<std::uint32_t>(image.base >> 32);
  return state;
}

eu::ImageSurface decode_image_state(const SurfaceState& state) {
  eu::ImageSurface surface;
  surface.unsupported = nullptr;
  switch (state[0] >> kTypeShift) {
    case kLine: surface.shape = eu::ImageShape::Line; break;
    case kPlane: surface.shape = eu::ImageShape::Plane; break;
    case kVolume: surface.shape = eu::ImageShape::Volume; break;
    case kBuffer: surface.shape = eu::ImageShape::Buffer; break;
    case kCube: surface.unsupported = "the surface state is one of a cube, which no image is"; break;
    case kNull: surface.unsupported = "the surface state is the null surface"; break;
    default: surface.unsupported = "the surface state is not one of an image"; break;
  }
  surface.format = eu::find_image_format(state[0] >> kFormatShift & kFormatMask);
  if (surface.unsupported != nullptr) {
    return surface;
  }
  if (surface.format == nullptr) {
    surface.unsupported = "the surface state's format is none of an image";
    return surface;
  }
  if ((state[0] >> kTileModeShift & kTileModeMask) != 0) {
    surface.unsupported = "the surface state's tile mode is not linear";
    return surface;
  }
  surface.is_array = (state[0] & kArray) != 0 && surface.shape != eu::ImageShape::Buffer &&
                     surface.shape != eu::ImageShape::Volume;
  for (std::size_t i = 0; i < surface.select.size(); ++i) {
    const std::uint32_t select = state[7] >> kSelectShift[i] & 7;
    if (!is_select(select)) {
      surface.unsupported = "the surface state selects a channel that there is not";
      return surface;
    }
    surface.select[i] = static_cast<eu::ChannelSelect>(select);
  }
  decode_extents(state, surface);
  return surface;
}

}  // namespace xesim::device
