// Contexts: owners of memory, modules, queues and events.
#pragma once

#include <level_zero/ze_api.h>

#include "driver/device.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class Context : public Object<Context> {
 public:
  explicit Context(Device& device) : device_(device) {}

  [[nodiscard]] Device& device() const { return device_; }
  [[nodiscard]] ze_context_handle_t handle() { return reinterpret_cast<ze_context_handle_t>(this); }

 private:
  Device& device_;
};

}  // namespace xesim::driver
