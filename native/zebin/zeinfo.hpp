// What .ze_info says of kernels. Format: the zeinfo specification; versions 1.x are read, keys that
// are not known are passed over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "zebin/kernel.hpp"

namespace xesim::zebin {

// The kernels, with `text_section` still 0; or one line that says which key of which kernel is wrong.
[[nodiscard]] std::variant<std::vector<Kernel>, std::string> parse_zeinfo(std::string_view text);

}  // namespace xesim::zebin
