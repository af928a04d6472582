// Contexts: owners of memory, modules, queues and events.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/driver.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class Context : public Object<Context> {
 public:
  explicit Context(Driver& driver) : driver_(driver) {}

  [[nodiscard]] Driver& driver() const { return driver_; }
  // Memory is the same whichever device asks for it.
  [[nodiscard]] device::Memory& memory() const { return driver_.devices().front()->memory(); }
  // Stops the kernels of all devices, for a change of what is mapped.
  [[nodiscard]] std::vector<device::Device::Pause> pause_devices() const;
  // The atomics that an allocation, by id, was said to be for; kept to be reported.
  void set_atomics(std::uint64_t allocation, std::uint32_t atomics) {
    const std::scoped_lock lock(mutex_);
    atomics_[allocation] = atomics;
  }
  [[nodiscard]] std::optional<std::uint32_t> atomics(std::uint64_t allocation) const {
    const std::scoped_lock lock(mutex_);
    const auto found = atomics_.find(allocation);
    return found == atomics_.end() ? std::nullopt : std::optional(found->second);
  }

  // The application's handle, which may be dead.
  [[nodiscard]] ze_context_handle_t handle() const { return handle_as<ze_context_handle_t>(); }

 private:
  Driver& driver_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::uint32_t> atomics_;
};

// Descriptors that stand for memory, of whatever kind: each is of a file in memory.
inline constexpr ze_external_memory_type_flags_t kExternalMemoryTypes =
    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
// The descriptor of the memory of an allocation, which is the one of its IPC handle; -1 when there is none.
[[nodiscard]] int export_descriptor(Context& context, const void* pointer);
// The pages of `descriptor`, which stays the caller's; null when it has fewer bytes.
[[nodiscard]] std::shared_ptr<const device::SharedPages> open_descriptor(int descriptor,
                                                                         std::uint64_t size);
// An allocation that has the contents of `descriptor`, which stays the caller's. Nothing: it cannot be
// mapped, or has fewer bytes.
[[nodiscard]] std::optional<device::Allocation> import_descriptor(Context& context, Device* device,
                                                                  device::AllocationKind kind,
                                                                  int descriptor, std::uint64_t size,
                                                                  std::uint64_t alignment);

}  // namespace xesim::driver
