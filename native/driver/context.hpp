// Contexts: owners of memory, modules, queues and events.
#pragma once

#include <level_zero/ze_api.h>

#include "driver/driver.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class Context : public Object<Context> {
 public:
  explicit Context(Driver& driver) : driver_(driver) {}

  [[nodiscard]] Driver& driver() const { return driver_; }
  // Memory is the same whichever device asks for it.
  [[nodiscard]] device::Memory& memory() const { return driver_.devices().front()->memory(); }
  [[nodiscard]] ze_context_handle_t handle() { return reinterpret_cast<ze_context_handle_t>(this); }

 private:
  Driver& driver_;
};

}  // namespace xesim::driver
