#include "device/host_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>

namespace xesim::device {

namespace {

constexpr unsigned kMostCores = 1024;

unsigned process_cores() {
  cpu_set_t cores;
  const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
  return known ? std::max(1u, static_cast<unsigned>(CPU_COUNT(&cores))) : 1;
}

}  // namespace

std::optional<HostCores> parse_host_cores(std::string_view text) {
  HostCores cores;
  if (text.empty()) {
    cores.count = process_cores();
    return cores;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cores.count);
  if (error != std::errc{} || end != text.data() + text.size() || cores.count == 0 ||
      cores.count > kMostCores) {
    return std::nullopt;
  }
  return cores;
}

}  // namespace xesim::device
