// The driver object: one per process, made by the first zeInit, never destroyed.
#pragma once

#include <level_zero/ze_api.h>

#include <memory>
#include <string>

#include "driver/device.hpp"

namespace xesim::driver {

class Driver {
 public:
  // Null until zeInit succeeded.
  static Driver* instance();

  // Idempotent. UNINITIALIZED when the environment asks for a device that does not exist.
  static ze_result_t initialise();

  explicit Driver(const device::Topology& topology);

  [[nodiscard]] Device& device() { return device_; }
  [[nodiscard]] ze_driver_handle_t handle() { return reinterpret_cast<ze_driver_handle_t>(this); }

 private:
  Device device_;
};

}  // namespace xesim::driver
