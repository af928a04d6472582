// Reads and writes memory on behalf of a debugger; on the debuggee's side.
#pragma once

#include <level_zero/zet_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "debug/module_registry.hpp"
#include "device/device.hpp"
#include "time/past_memory.hpp"

namespace xesim::debug {

// A part of a transfer: it starts at `address`, `whole` bytes of the transfer are still to come.
struct MemoryRange {
  std::uint64_t address = 0;
  std::uint64_t whole = 0;
};

// The default space: instructions, module images (reads only), then everything that is mapped.
// INVALID_ARGUMENT: the transfer crosses the end of an instruction allocation or image;
// NOT_AVAILABLE through all threads, UNKNOWN through one: not mapped. Needs a Pause of `device`.
ze_result_t read_default_memory(device::Device& device, const ModuleRegistry& modules,
                                bool through_all, MemoryRange range, std::span<std::byte> data);
// The same of the past.
ze_result_t read_past_memory(time::PastMemory& memory, const ModuleRegistry& modules,
                             bool through_all, MemoryRange range, std::span<std::byte> data);
ze_result_t write_default_memory(device::Device& device, bool through_all, MemoryRange range,
                                 std::span<const std::byte> data);

// The shared local memory of `thread`'s work-group, by offset. NOT_AVAILABLE: beyond its end.
ze_result_t read_shared_local_memory(const device::HardwareThread& thread, MemoryRange range,
                                     std::span<std::byte> data);
ze_result_t write_shared_local_memory(device::Device& device, device::HardwareThread& thread,
                                      MemoryRange range, std::span<const std::byte> data);

}  // namespace xesim::debug
