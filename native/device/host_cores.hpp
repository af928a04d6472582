// How many threads of the host execute a launch, as users choose it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xesim::device {

struct HostCores {
  unsigned count = 1;
  // Instructions that a launch executes on one thread before others are woken: small launches end
  // sooner without them.
  std::uint64_t alone = 16 * 1024;
};

// A number of cores from 1 on; nothing for other words. Empty: as many as the process may run on.
[[nodiscard]] std::optional<HostCores> parse_host_cores(std::string_view text);

}  // namespace xesim::device
