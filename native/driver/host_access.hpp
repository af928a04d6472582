// Reading and writing memory that an application named in a copy or fill: its own or an allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "driver/command.hpp"
#include "driver/device.hpp"

namespace xesim::driver {

// Nothing when all `size` bytes at `address` can be accessed; else the fault as a line for the
// user, with `what` naming the access ("memory copy source"). Bytes inside an allocation must stay
// inside it, or go on in a mapping beside it; any other address must be mapped into the process.
[[nodiscard]] Loss check_host_access(Device& device, const char* what, const void* address,
                                     std::uint64_t size, device::MemoryUse access =
                                         device::MemoryUse::Read);

}  // namespace xesim::driver
