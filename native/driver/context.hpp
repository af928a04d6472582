// Contexts: owners of memory, modules, queues and events.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "driver/driver.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class Context : public Object<Context> {
 public:
  explicit Context(Driver& driver) : driver_(driver) {}

  [[nodiscard]] Driver& driver() const { return driver_; }
  // Memory is the same whichever device asks for it.
  [[nodiscard]] device::Memory& memory() const { return driver_.devices().front()->memory(); }
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

// A descriptor of the memory of an allocation, which the caller closes; -1 when there is none.
[[nodiscard]] int export_descriptor(Context& context, const void* pointer);

}  // namespace xesim::driver
