#include "device/host_cores.hpp"

namespace xesim::device {

std::optional<HostCores> parse_host_cores(std::string_view text) {
  if (text.empty() || text == "1") return HostCores::One;
  if (text == "2") return HostCores::Two;
  if (text == "always") return HostCores::TwoAlways;
  return std::nullopt;
}

}  // namespace xesim::device
