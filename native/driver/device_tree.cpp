// Finding devices: those of the driver, their tiles as sub-devices, and back.
#include <algorithm>

#include "driver/driver.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t zeDeviceGet(ze_driver_handle_t hDriver, uint32_t* pCount,
                        ze_device_handle_t* phDevices) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    const auto devices = object_of<Driver>(hDriver)->listed_devices();
    return enumerate(pCount, phDevices, static_cast<std::uint32_t>(devices.size()),
                     [&](ze_device_handle_t& device, std::uint32_t index) {
                       device = devices[index]->handle();
                     });
  });
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t hDevice, uint32_t* pCount,
                                  ze_device_handle_t* phSubdevices) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    const auto tiles = Driver::instance()->shown_tiles(*object_of<Device>(hDevice));
    return enumerate(pCount, phSubdevices, static_cast<std::uint32_t>(tiles.size()),
                     [&](ze_device_handle_t& device, std::uint32_t index) {
                       device = tiles[index]->handle();
                     });
  });
}

ze_result_t later::device_get_root_device(ze_device_handle_t device, ze_device_handle_t* root) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (root == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  Device* of_tile = object_of<Device>(device)->root();
  const auto listed = Driver::instance()->listed_devices();
  const bool is_sub_device = std::ranges::find(listed, object_of<Device>(device)) == listed.end();
  *root = of_tile != nullptr && is_sub_device ? of_tile->handle() : nullptr;
  return ZE_RESULT_SUCCESS;
}
