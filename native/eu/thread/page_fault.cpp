#include <array>
#include <cstdio>

#include "eu/thread/environment.hpp"

namespace xesim::eu {

std::string describe(const PageFault& fault) {
  static constexpr std::array<const char*, 4> kAccesses{"reading", "writing", "atomic access to",
                                                        "fetching an instruction from"};
  static constexpr std::array<const char*, 3> kSpaces{"global memory", "shared local memory",
                                                      "scratch"};
  char text[128];
  std::snprintf(text, sizeof text, "page fault %s %s at 0x%llx%s",
                kAccesses[static_cast<std::size_t>(fault.access)],
                kSpaces[static_cast<std::size_t>(fault.space)],
                static_cast<unsigned long long>(fault.address),
                fault.reason == FaultReason::ReadOnly ? " (read-only)" : "");
  return text;
}

}  // namespace xesim::eu
