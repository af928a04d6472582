// Sampling: from floating-point coordinates to a texel or a mixture of texels.
#pragma once

#include "eu/images/image_surface.hpp"
#include "eu/messages/image_access.hpp"

namespace xesim::eu {

// Coordinates u, v, r as a message has them; the last one that the shape has is the array index.
using SampleCoordinates = std::array<float, 3>;

// The colour at `coordinates`, before the surface's channel selects. Address modes and filters are
// those of OpenCL C 8.2. Hardware mixes texels with weights of 8 bits; here they are those of a
// float, as precise as the coordinates. Images of integers are not mixed: the nearest is taken.
// After a fault of `image` the value means nothing.
[[nodiscard]] Texel sample(ImageAccess& image, const ImageSurface& surface, const Sampler& sampler,
                           const SampleCoordinates& coordinates, unsigned lane);

}  // namespace xesim::eu
