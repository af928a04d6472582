// What the application hears when a module cannot be made.
#pragma once

#include <level_zero/ze_api.h>

#include <string>

namespace xesim::driver {

// Why a module could not be made.
struct ModuleError {
  ze_result_t result;
  std::string message;  // one line
};

}  // namespace xesim::driver
