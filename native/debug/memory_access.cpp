#include "debug/memory_access.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace xesim::debug {

namespace {

ze_result_t unmapped(bool through_all) {
  return through_all ? ZE_RESULT_ERROR_NOT_AVAILABLE : ZE_RESULT_ERROR_UNKNOWN;
}

// SUCCESS: may be accessed; anything else is the answer. The whole range is looked at: a transfer in parts
// is refused before its first.
ze_result_t check_device_range(device::Device& device, bool through_all, MemoryRange range,
                               device::MemoryUse use) {
  const auto allocation = device.memory().find(range.address);
  if (allocation && allocation->kind == device::AllocationKind::Code) {
    const std::uint64_t here = allocation->address + allocation->mapped - range.address;
    return range.whole > here ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_SUCCESS;
  }
  return device.is_mapped(range.address, range.whole, use) ? ZE_RESULT_SUCCESS
                                                           : unmapped(through_all);
}

// Nothing: the address is not that of a module's image.
std::optional<ze_result_t> read_image(const ModuleRegistry& modules, MemoryRange range,
                                      std::span<std::byte> data) {
  const auto image = modules.image_at(range.address);
  if (image.empty()) return std::nullopt;
  if (range.whole > image.size()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  std::ranges::copy(image.first(data.size()), data.begin());
  return ZE_RESULT_SUCCESS;
}

bool is_inside_shared_local_memory(const device::HardwareThread& thread, MemoryRange range) {
  return thread.slm != nullptr && range.address <= thread.slm_size &&
         range.whole <= thread.slm_size - range.address;
}

}  // namespace

ze_result_t read_default_memory(device::Device& device, const ModuleRegistry& modules,
                                bool through_all, MemoryRange range, std::span<std::byte> data) {
  if (const auto read = read_image(modules, range, data)) return *read;
  const ze_result_t allowed =
      check_device_range(device, through_all, range, device::MemoryUse::Read);
  if (allowed != ZE_RESULT_SUCCESS) return allowed;
  const bool done = device.read_memory(range.address, data.data(), data.size());
  return done ? ZE_RESULT_SUCCESS : unmapped(through_all);
}

ze_result_t read_past_memory(time::PastMemory& memory, const ModuleRegistry& modules,
                             bool through_all, MemoryRange range, std::span<std::byte> data) {
  if (const auto read = read_image(modules, range, data)) return *read;
  const bool done = memory.read(range.address, data.data(), data.size());
  return done ? ZE_RESULT_SUCCESS : unmapped(through_all);
}

ze_result_t write_default_memory(device::Device& device, bool through_all, MemoryRange range,
                                 std::span<const std::byte> data) {
  const ze_result_t allowed =
      check_device_range(device, through_all, range, device::MemoryUse::Write);
  if (allowed != ZE_RESULT_SUCCESS) return allowed;
  const bool done = device.write_memory(range.address, data.data(), data.size());
  return done ? ZE_RESULT_SUCCESS : unmapped(through_all);
}

ze_result_t read_shared_local_memory(const device::HardwareThread& thread, MemoryRange range,
                                     std::span<std::byte> data) {
  if (!is_inside_shared_local_memory(thread, range)) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  std::memcpy(data.data(), thread.slm + range.address, data.size());
  return ZE_RESULT_SUCCESS;
}

ze_result_t write_shared_local_memory(device::Device& device, device::HardwareThread& thread,
                                      MemoryRange range, std::span<const std::byte> data) {
  if (!is_inside_shared_local_memory(thread, range)) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  device.change(thread, [address = range.address, bytes = std::vector(data.begin(), data.end())](
                            device::HardwareThread& changed) {
    std::memcpy(changed.slm + address, bytes.data(), bytes.size());
  });
  return ZE_RESULT_SUCCESS;
}

}  // namespace xesim::debug
