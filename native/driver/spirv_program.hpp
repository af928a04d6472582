// The SPIR-V that a program makes a module of: one input, or several that are linked.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <variant>
#include <vector>

#include "device/topology.hpp"
#include "driver/module_error.hpp"

namespace xesim::driver {

// Whether `description` is extended by ze_module_program_exp_desc_t: its inputs stand there.
[[nodiscard]] bool has_several_inputs(const ze_module_desc_t& description);

// The native module for `topology` that the SPIR-V of `description` makes, each input with the values
// of its specialization constants, under the build flags of all; or why there is none.
[[nodiscard]] std::variant<std::vector<std::byte>, ModuleError> build_spirv(
    const ze_module_desc_t& description, const device::Topology& topology);

}  // namespace xesim::driver
