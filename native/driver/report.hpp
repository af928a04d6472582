// Lines on stderr for the user of the program: "libze_sim_gpu: ...".
#pragma once

#include <string_view>

namespace xesim::driver {

void report(std::string_view line);

}  // namespace xesim::driver
