// System management that is newer than the oldest headers this driver compiles with, as later_api.hpp.
// Source: Level Zero specification, the version named at each entry.
#pragma once

#include <level_zero/zes_api.h>

#include <cstdint>

namespace xesim::driver::later {

// 1.9: in pNext of zes_device_properties_t
inline constexpr auto kSysmanDeviceExtended = static_cast<ze_structure_type_t>(0x2d);
struct SysmanDeviceExtended {
  ze_structure_type_t stype;
  void* pNext;
  ze_device_uuid_t uuid;
  ze_device_type_t type;
  ze_device_property_flags_t flags;
};

// 1.5: zesInit, zesDeviceGet
ze_result_t sysman_init(std::uint32_t flags);
ze_result_t sysman_device_get(ze_driver_handle_t driver, std::uint32_t* count,
                              ze_device_handle_t* devices);
// 1.8: zesDriverGetDeviceByUuidExp
ze_result_t sysman_device_by_uuid(ze_driver_handle_t driver, ze_device_uuid_t uuid,
                                  ze_device_handle_t* found, ze_bool_t* on_subdevice,
                                  std::uint32_t* subdevice);

}  // namespace xesim::driver::later
