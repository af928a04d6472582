// A device whose threads do what a test says: stands in for device/device.cpp.
//
// A resumed thread with the step bit set advances by one instruction and stops again at once;
// every other resumed thread runs until the test stops it.
#pragma once

#include <cstdint>
#include <string>

#include "device/device.hpp"

namespace xesim::debug::scripted {

inline constexpr std::uint32_t kStartIp = 0x400;
inline constexpr std::uint32_t kInstructionBytes = 16;

// Makes the thread at `ordinal` resident and running, with 16 enabled lanes.
void place(device::Device& device, std::uint32_t ordinal);
// Whether a stop is whole with this thread, so that it may be reported.
enum class Settling : bool { Whole, MoreToCome };
// It takes the exceptions `cause` (cr0.1 bits), all at the same moment for several threads.
void stop(device::Device& device, std::uint32_t ordinal, std::uint32_t cause,
          Settling settling = Settling::Whole);
// Why its instruction is not executed.
void explain(device::Device& device, std::uint32_t ordinal, const std::string& report);
void finish(device::Device& device, std::uint32_t ordinal);
// A copy, taken under the lock.
device::HardwareThread look(device::Device& device, std::uint32_t ordinal);
bool has_listener(device::Device& device);

}  // namespace xesim::debug::scripted
