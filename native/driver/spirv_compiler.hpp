// From SPIR-V to a native module, with Intel's offline compiler: a driver for hardware has the same
// compiler built in.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/topology.hpp"

namespace xesim::driver {

// The zebin for `topology` of one or more modules that use each other's functions, or the reason why
// there is none: the compiler is not installed, failed (its messages follow) or crashed. `flags` as
// in ze_module_desc_t. Runs `ocloc`, or what XESIM_OCLOC names, and waits for it, where
// the modules that were made before (module_cache.hpp) do not have it.
[[nodiscard]] std::variant<std::vector<std::byte>, std::string> compile_spirv(
    std::span<const std::vector<std::byte>> modules, const std::string& flags,
    const device::Topology& topology);

}  // namespace xesim::driver
