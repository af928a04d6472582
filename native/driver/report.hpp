// Lines on stderr for the person who runs the program: "libze_sim_gpu: ...".
#pragma once

#include <string_view>

namespace xesim::driver {

void report(std::string_view line);

}  // namespace xesim::driver
