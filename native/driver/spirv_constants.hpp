// Specialization constants: the values that a program gives a SPIR-V module take the place of the
// defaults in it, before it is compiled.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace xesim::driver {

// `spirv` with the values of `constants`, or one line that says what is wrong with the module. Ids
// that the module does not have are passed over: compilers remove constants that nothing uses.
// Of each value as many bytes are read as the constant's type has; of a truth value one.
[[nodiscard]] std::variant<std::vector<std::byte>, std::string> specialize_spirv(
    std::span<const std::byte> spirv, const ze_module_constants_t& constants);

}  // namespace xesim::driver
