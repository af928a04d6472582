#include "eu/messages/sampler_filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace xesim::eu {
namespace {

// One dimension's two neighbours and the weight of the second; the nearest filter uses the first.
struct Neighbours {
  std::int64_t first = 0;
  std::int64_t second = 0;
  float weight = 0;
};

// Beyond any image, yet small enough to be converted and added to.
constexpr float kFarAway = 1 << 24;

std::int64_t whole(float coordinate) {
  const float bounded = std::isnan(coordinate) ? 0 : std::clamp(coordinate, -kFarAway, kFarAway);
  return static_cast<std::int64_t>(std::floor(bounded));
}

// Where a coordinate lies in texels; wrapping and mirroring act on normalized coordinates.
float in_texels(AddressClamp mode, float coordinate, std::uint32_t size, bool normalized) {
  const auto extent = static_cast<float>(size);
  if (!normalized) {
    return coordinate;
  }
  switch (mode) {
    case AddressClamp::Wrap:
      return (coordinate - std::floor(coordinate)) * extent;
    case AddressClamp::Mirror:
      return std::fabs(coordinate - 2.0F * std::rint(0.5F * coordinate)) * extent;
    default:
      return coordinate * extent;
  }
}

std::int64_t place(AddressClamp mode, std::int64_t position, std::uint32_t size) {
  const std::int64_t last = std::int64_t{size} - 1;
  switch (mode) {
    case AddressClamp::Border:
      return position;
    case AddressClamp::Wrap:
      return position < 0       ? std::max<std::int64_t>(position + size, 0)
             : position > last ? std::min<std::int64_t>(position - size, last)
                               : position;
    default:
      return std::clamp<std::int64_t>(position, 0, last);
  }
}

Neighbours neighbours(AddressClamp mode, float coordinate, std::uint32_t size, bool normalized,
                      bool linear) {
  const float texels = in_texels(mode, coordinate, size, normalized);
  if (!linear) {
    const std::int64_t position = place(mode, whole(texels), size);
    return {position, position, 0};
  }
  const float corner = texels - 0.5F;
  const std::int64_t position = whole(corner);
  const float weight = corner - std::floor(corner);
  return {place(mode, position, size), place(mode, position + 1, size),
          std::isfinite(weight) ? weight : 0};
}

std::int64_t array_element(float index, std::uint32_t elements) {
  return std::clamp<std::int64_t>(whole(std::rint(index)), 0, std::int64_t{elements} - 1);
}

// A texel, or the sampler's border with what the format does not have as the format has it.
Texel fetch(ImageAccess& image, const ImageSurface& surface, const Sampler& sampler,
            const TexelPosition& position, unsigned lane) {
  if (image.inside(position)) {
    return image.read(position, lane);
  }
  Texel texel = border_texel(*surface.format);
  for (std::size_t i = 0; i < texel.size(); ++i) {
    if (surface.format->channels[i].width != 0 && !surface.format->is_integer()) {
      texel[i] = std::bit_cast<std::uint32_t>(sampler.border[i]);
    }
  }
  return texel;
}

}  // namespace

Texel sample(ImageAccess& image, const ImageSurface& surface, const Sampler& sampler,
             const SampleCoordinates& coordinates, unsigned lane) {
  const bool linear = sampler.linear && !surface.format->is_integer();
  const auto along = [&](std::size_t dimension, std::uint32_t size) {
    return neighbours(sampler.address[dimension], coordinates[dimension], size, sampler.normalized,
                      linear);
  };
  const Neighbours x = along(0, surface.width);
  Neighbours y;
  Neighbours z;
  if (surface.shape == ImageShape::Plane || surface.shape == ImageShape::Volume) {
    y = along(1, surface.height);
  }
  if (surface.shape == ImageShape::Volume) {
    z = along(2, surface.depth);
  } else if (surface.is_array) {
    const std::size_t index = surface.shape == ImageShape::Line ? 1 : 2;
    z.first = z.second = array_element(coordinates[index], surface.depth);
  }
  if (!linear) {
    return fetch(image, surface, sampler, {x.first, y.first, z.first}, lane);
  }
  std::array<float, 4> sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    const bool far_x = (corner & 1) != 0;
    const bool far_y = (corner & 2) != 0;
    const bool far_z = (corner & 4) != 0;
    const float weight = (far_x ? x.weight : 1 - x.weight) * (far_y ? y.weight : 1 - y.weight) *
                         (far_z ? z.weight : 1 - z.weight);
    if (weight == 0) {
      continue;
    }
    const Texel texel = fetch(image, surface, sampler,
                              {far_x ? x.second : x.first, far_y ? y.second : y.first,
                               far_z ? z.second : z.first},
                              lane);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += weight * std::bit_cast<float>(texel[i]);
    }
  }
  return std::bit_cast<Texel>(sum);
}

}  // namespace xesim::eu
