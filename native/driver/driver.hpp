// The driver object: one per process, made by the first zeInit, never destroyed.
#pragma once

#include <level_zero/ze_api.h>

#include <memory>
#include <vector>

#include "driver/affinity_mask.hpp"
#include "driver/device.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class Driver {
 public:
  // Null until zeInit succeeded.
  static Driver* instance();

  // Idempotent. UNINITIALIZED when the environment asks for a device, an order of threads or a number
  // of host cores that does not exist.
  static ze_result_t initialise();

  Driver(const std::vector<const device::Topology*>& topologies,
         const device::Scheduling& scheduling, device::HostCores host_cores);

  // The root devices; never empty.
  [[nodiscard]] const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }
  // Those that applications are to work with: the root devices, or with
  // ZE_FLAT_DEVICE_HIERARCHY=FLAT or COMBINED the tiles of those that have some; of these what
  // ZE_AFFINITY_MASK leaves, where one tile of several stands for its device.
  [[nodiscard]] std::vector<Device*> listed_devices() const;
  // Those of the sub-devices of `root` that applications see.
  [[nodiscard]] std::vector<Device*> shown_tiles(const Device& root) const;
  // Whether tiles are listed as devices, and not as sub-devices.
  [[nodiscard]] static bool lists_tiles();
  [[nodiscard]] ze_driver_handle_t handle() const { return handle_; }

 private:
  ze_driver_handle_t handle_ = permanent_handle<ze_driver_handle_t>(this);
  std::vector<std::unique_ptr<Device>> devices_;
  AffinityMask affinity_;
};

}  // namespace xesim::driver
