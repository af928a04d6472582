// Which device a native module was made for.
#pragma once

#include <optional>
#include <string>

#include "device/topology.hpp"
#include "zebin/image.hpp"

namespace xesim::driver {

// Nothing when `image` can run on `topology`; else one line that says what it was made for.
[[nodiscard]] std::optional<std::string> target_mismatch(const zebin::Image& image,
                                                         const device::Topology& topology);

}  // namespace xesim::driver
