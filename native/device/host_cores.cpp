#include "device/host_cores.hpp"

#include <sched.h>

namespace xesim::device {

std::optional<HostCores> parse_host_cores(std::string_view text) {
  if (text == "1") return HostCores::One;
  if (text.empty() || text == "2") return HostCores::Two;
  if (text == "always") return HostCores::TwoAlways;
  return std::nullopt;
}

bool process_has_two_cores() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 1;
}

}  // namespace xesim::device
