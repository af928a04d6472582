#include "eu/messages/image_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace xesim::eu {
namespace {

constexpr std::uint32_t kMostTexelBytes = 16;

// Addresses of texels are global ones.
DataMessage global_addresses() { return {}; }

std::size_t channel_of(ChannelSelect select) {
  return static_cast<std::size_t>(select) - static_cast<std::size_t>(ChannelSelect::Red);
}

std::uint32_t one(const ImageFormat& format) {
  return format.is_integer() ? 1 : std::bit_cast<std::uint32_t>(1.0F);
}

}  // namespace

TexelPosition texel_position(const ImageSurface& surface,
                             const std::array<std::int64_t, 3>& parameters) {
  switch (surface.shape) {
    case ImageShape::Buffer:
      return {parameters[0], 0, 0};
    case ImageShape::Line:
      return {parameters[0], 0, surface.is_array ? parameters[1] : 0};
    case ImageShape::Plane:
      return {parameters[0], parameters[1], surface.is_array ? parameters[2] : 0};
    case ImageShape::Volume:
      break;
  }
  return {parameters[0], parameters[1], parameters[2]};
}

ImageAccess::ImageAccess(const MessageContext& context, const ImageSurface& surface)
    : context_(context),
      surface_(surface),
      memory_(global_addresses(), context.environment, context.windows) {}

bool ImageAccess::inside(const TexelPosition& position) const {
  return position.x >= 0 && position.x < surface_.width && position.y >= 0 &&
         position.y < surface_.height && position.z >= 0 && position.z < surface_.depth;
}

std::uint64_t ImageAccess::address(const TexelPosition& position) const {
  return surface_.base + static_cast<std::uint64_t>(position.z) * surface_.slice_pitch +
         static_cast<std::uint64_t>(position.y) * surface_.row_pitch +
         static_cast<std::uint64_t>(position.x) * surface_.format->bytes;
}

Texel ImageAccess::read(const TexelPosition& position, unsigned lane) {
  if (!inside(position)) {
    return border_texel(*surface_.format);
  }
  const std::uint64_t at = address(position);
  const std::uint32_t size = surface_.format->bytes;
  if (const std::byte* host = memory_.resolve(at, size, false)) {
    notify(AccessKind::Read, at, size, lane);
    return read_texel(*surface_.format, host);
  }
  if (fault_.present || !memory_.accessible(at, size, false, fault_)) {
    return {};
  }
  std::byte bytes[kMostTexelBytes];
  memory_.read(at, bytes, size);
  notify(AccessKind::Read, at, size, lane);
  return read_texel(*surface_.format, bytes);
}

bool ImageAccess::writable(const TexelPosition& position) {
  return !inside(position) ||
         memory_.accessible(address(position), surface_.format->bytes, true, fault_);
}

void ImageAccess::write(const TexelPosition& position, const Texel& texel, unsigned lane) {
  if (!inside(position)) {
    return;
  }
  std::byte bytes[kMostTexelBytes]{};
  write_texel(*surface_.format, texel, bytes);
  const std::uint64_t at = address(position);
  notify(AccessKind::Write, at, surface_.format->bytes, lane);
  memory_.write(at, bytes, surface_.format->bytes);
}

std::byte* ImageAccess::lockable(const TexelPosition& position) {
  const std::uint32_t size = surface_.format->bytes;
  std::byte* const host = memory_.resolve(address(position), size, true);
  return reinterpret_cast<std::uintptr_t>(host) % size == 0 ? host : nullptr;
}

void ImageAccess::notify_atomic(const TexelPosition& position, unsigned lane) const {
  notify(AccessKind::Atomic, address(position), surface_.format->bytes, lane);
}

ImageAccess::ByteRun ImageAccess::clip(std::int64_t x, std::int64_t y, std::uint32_t size) const {
  const std::int64_t row_bytes = std::int64_t{surface_.width} * surface_.format->bytes;
  const std::int64_t first = std::max<std::int64_t>(x, 0);
  const std::int64_t end = std::min(x + size, row_bytes);
  if (first >= end || y < 0 || y >= surface_.height) {
    return {};
  }
  return {static_cast<std::uint32_t>(first - x), static_cast<std::uint32_t>(end - first),
          surface_.base + static_cast<std::uint64_t>(y) * surface_.row_pitch +
              static_cast<std::uint64_t>(first)};
}

void ImageAccess::read_bytes(std::int64_t x, std::int64_t y, std::byte* target,
                             std::uint32_t size) {
  std::memset(target, 0, size);
  const ByteRun run = clip(x, y, size);
  if (run.size != 0 && !fault_.present && memory_.accessible(run.address, run.size, false, fault_)) {
    notify(AccessKind::Read, run.address, run.size, 0);
    memory_.read(run.address, target + run.skipped, run.size);
  }
}

bool ImageAccess::bytes_writable(std::int64_t x, std::int64_t y, std::uint32_t size) {
  const ByteRun run = clip(x, y, size);
  return run.size == 0 || memory_.accessible(run.address, run.size, true, fault_);
}

void ImageAccess::write_bytes(std::int64_t x, std::int64_t y, const std::byte* source,
                              std::uint32_t size) {
  const ByteRun run = clip(x, y, size);
  if (run.size != 0) {
    notify(AccessKind::Write, run.address, run.size, 0);
    memory_.write(run.address, source + run.skipped, run.size);
  }
}

void ImageAccess::notify(AccessKind kind, std::uint64_t address, std::uint32_t size,
                         unsigned lane) const {
  if (context_.observer != nullptr) {
    context_.observer->memory(context_.thread, {.kind = kind,
                                                .space = MemorySpace::Global,
                                                .address = address,
                                                .size = size,
                                                .lane = static_cast<std::uint8_t>(lane)});
  }
}

Texel select_channels(const ImageSurface& surface, const Texel& texel) {
  Texel seen{};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    switch (surface.select[i]) {
      case ChannelSelect::Zero:
        seen[i] = 0;
        break;
      case ChannelSelect::One:
        seen[i] = one(*surface.format);
        break;
      default:
        seen[i] = texel[channel_of(surface.select[i])];
        break;
    }
  }
  return seen;
}

Texel unselect_channels(const ImageSurface& surface, const Texel& texel) {
  Texel stored{};
  // Backwards, so that the first of several channels with one source is the one that is kept:
  // luminance and intensity store red.
  for (std::size_t i = stored.size(); i-- > 0;) {
    if (surface.select[i] >= ChannelSelect::Red) {
      stored[channel_of(surface.select[i])] = texel[i];
    }
  }
  return stored;
}

}  // namespace xesim::eu
