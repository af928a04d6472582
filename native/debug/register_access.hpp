// Reads and writes the registers of a stopped thread; on the debuggee's side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "debug/register_sets.hpp"
#include "device/device.hpp"

namespace xesim::debug {

// Both need a Pause of the device, and a range that lies inside the set. Packed, little endian.
[[nodiscard]] std::vector<std::byte> read_registers(device::Device& device,
                                                    const device::HardwareThread& thread,
                                                    const RegisterSet& set, std::uint32_t start,
                                                    std::uint32_t count);
void write_registers(device::HardwareThread& thread, const RegisterSet& set, std::uint32_t start,
                     std::span<const std::byte> data);

// Where the thread state has the registers of a set as they are.
struct StoredPlace {
  std::uint64_t position = 0;   // bytes from the start of eu::ThreadState
  std::uint64_t size = 0;       // 0: the set is computed
};
[[nodiscard]] StoredPlace stored_place(const RegisterSet& set);

}  // namespace xesim::debug
