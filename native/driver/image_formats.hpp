// Level Zero's image formats in terms of surfaces and of OpenCL, whose numbers kernels ask for.
#pragma once

#include <level_zero/ze_api.h>

#include <optional>

#include "device/image_state.hpp"

namespace xesim::driver {

// The format, channel selects and OpenCL names of `format` in an otherwise default description;
// nothing when the device has no such format (media formats, layouts without that type).
[[nodiscard]] std::optional<device::ImageDescription> describe_format(
    const ze_image_format_t& format);

}  // namespace xesim::driver
