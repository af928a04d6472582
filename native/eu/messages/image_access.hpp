// The texels of one image: from coordinates to memory.
#pragma once

#include <array>
#include <cstdint>

#include "eu/images/image_surface.hpp"
#include "eu/messages/context.hpp"

namespace xesim::eu {

// Where a texel is; `z` is the slice of a volume or the element of an array.
struct TexelPosition {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
};

// Coordinates in the order of a message's parameters (u, v, r), of which the array index is the
// last one that the shape has.
[[nodiscard]] TexelPosition texel_position(const ImageSurface& surface,
                                           const std::array<std::int64_t, 3>& parameters);

class ImageAccess {
 public:
  // `surface` must be usable (ImageSurface::unsupported null).
  ImageAccess(const MessageContext& context, const ImageSurface& surface);

  [[nodiscard]] bool inside(const TexelPosition& position) const;

  // The texel for `lane`; zeros beyond the image. After a fault() its value means nothing.
  [[nodiscard]] Texel read(const TexelPosition& position, unsigned lane);

  // Whether write() will find memory. Always true beyond the image.
  [[nodiscard]] bool writable(const TexelPosition& position);
  // Stores what the format keeps; does nothing beyond the image. Only after writable().
  void write(const TexelPosition& position, const Texel& texel, unsigned lane);

  // The memory of a texel inside the image, to change atomically; null when the host cannot. Only
  // after writable().
  [[nodiscard]] std::byte* lockable(const TexelPosition& position);
  void notify_atomic(const TexelPosition& position, unsigned lane) const;

  // The same for `size` bytes of a row of texels, from byte `x` of it on.
  void read_bytes(std::int64_t x, std::int64_t y, std::byte* target, std::uint32_t size);
  [[nodiscard]] bool bytes_writable(std::int64_t x, std::int64_t y, std::uint32_t size);
  void write_bytes(std::int64_t x, std::int64_t y, const std::byte* source, std::uint32_t size);

  // The first access that no memory backs.
  [[nodiscard]] const PageFault& fault() const { return fault_; }

 private:
  struct ByteRun {
    std::uint32_t skipped = 0;   // bytes before the row's first
    std::uint32_t size = 0;      // bytes inside the row
    std::uint64_t address = 0;   // of the first byte inside
  };
  [[nodiscard]] std::uint64_t address(const TexelPosition& position) const;
  [[nodiscard]] ByteRun clip(std::int64_t x, std::int64_t y, std::uint32_t size) const;
  void notify(AccessKind kind, std::uint64_t address, std::uint32_t size, unsigned lane) const;

  const MessageContext& context_;
  const ImageSurface& surface_;
  TargetMemory memory_;
  PageFault fault_;
};

// What a shader sees of a texel, by the surface's channel selects.
[[nodiscard]] Texel select_channels(const ImageSurface& surface, const Texel& texel);
// What is stored for what a shader writes: the inverse.
[[nodiscard]] Texel unselect_channels(const ImageSurface& surface, const Texel& texel);

}  // namespace xesim::eu
