// Dispatch tables of system management. There are no sensors and no controls: lists of them are empty,
// and tables of what is in such lists too. Loaders refuse a driver that lacks a getter, and answer
// UNSUPPORTED_FEATURE for members left empty.
#include <level_zero/zes_ddi.h>

#include "driver/ddi_table.hpp"
#include "driver/sysman_api.hpp"

using namespace xesim::driver;

namespace {

// Of a list that is empty on every device.
template <class Handle>
ze_result_t none(zes_device_handle_t device, std::uint32_t* count, Handle* handles) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return enumerate(count, handles, 0, [](Handle&, std::uint32_t) {});
}

ze_result_t no(zes_device_handle_t device, ze_bool_t* answer) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (answer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *answer = 0;
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zesGetDriverProcAddrTable(ze_api_version_t version, zes_driver_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).append<&zeDriverGet>(2, 5).result();  // pfnGet
}

ze_result_t zesGetDeviceProcAddrTable(ze_api_version_t version, zes_device_dditable_t* pDdiTable) {
  using Table = zes_device_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zesDeviceGetProperties>(&Table::pfnGetProperties)
      .set<&zesDeviceGetState>(&Table::pfnGetState)
      .set<&zesDeviceProcessesGetState>(&Table::pfnProcessesGetState)
      .set<&zesDevicePciGetProperties>(&Table::pfnPciGetProperties)
      .set<&zesDevicePciGetState>(&Table::pfnPciGetState)
      .set<&none<zes_pci_bar_properties_t>>(&Table::pfnPciGetBars)
      .set<&none<zes_diag_handle_t>>(&Table::pfnEnumDiagnosticTestSuites)
      .set<&none<zes_engine_handle_t>>(&Table::pfnEnumEngineGroups)
      .set<&none<zes_fabric_port_handle_t>>(&Table::pfnEnumFabricPorts)
      .set<&none<zes_fan_handle_t>>(&Table::pfnEnumFans)
      .set<&none<zes_firmware_handle_t>>(&Table::pfnEnumFirmwares)
      .set<&none<zes_freq_handle_t>>(&Table::pfnEnumFrequencyDomains)
      .set<&none<zes_led_handle_t>>(&Table::pfnEnumLeds)
      .set<&zesDeviceEnumMemoryModules>(&Table::pfnEnumMemoryModules)
      .set<&none<zes_perf_handle_t>>(&Table::pfnEnumPerformanceFactorDomains)
      .set<&none<zes_pwr_handle_t>>(&Table::pfnEnumPowerDomains)
      .set<&none<zes_psu_handle_t>>(&Table::pfnEnumPsus)
      .set<&none<zes_ras_handle_t>>(&Table::pfnEnumRasErrorSets)
      .set<&none<zes_sched_handle_t>>(&Table::pfnEnumSchedulers)
      .set<&none<zes_standby_handle_t>>(&Table::pfnEnumStandbyDomains)
      .set<&none<zes_temp_handle_t>>(&Table::pfnEnumTemperatureSensors)
      .set<&no>(&Table::pfnEccAvailable, 4)
      .set<&no>(&Table::pfnEccConfigurable, 4)
      .append<&later::sysman_device_get>(29, 5)  // pfnGet
      .result();
}

ze_result_t zesGetMemoryProcAddrTable(ze_api_version_t version, zes_memory_dditable_t* pDdiTable) {
  using Table = zes_memory_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zesMemoryGetProperties>(&Table::pfnGetProperties)
      .set<&zesMemoryGetState>(&Table::pfnGetState)
      .result();
}

XESIM_EMPTY_TABLE(zesGetSchedulerProcAddrTable, zes_scheduler_dditable_t)
XESIM_EMPTY_TABLE(zesGetPerformanceFactorProcAddrTable, zes_performance_factor_dditable_t)
XESIM_EMPTY_TABLE(zesGetPowerProcAddrTable, zes_power_dditable_t)
XESIM_EMPTY_TABLE(zesGetFrequencyProcAddrTable, zes_frequency_dditable_t)
XESIM_EMPTY_TABLE(zesGetEngineProcAddrTable, zes_engine_dditable_t)
XESIM_EMPTY_TABLE(zesGetStandbyProcAddrTable, zes_standby_dditable_t)
XESIM_EMPTY_TABLE(zesGetFirmwareProcAddrTable, zes_firmware_dditable_t)
XESIM_EMPTY_TABLE(zesGetFabricPortProcAddrTable, zes_fabric_port_dditable_t)
XESIM_EMPTY_TABLE(zesGetTemperatureProcAddrTable, zes_temperature_dditable_t)
XESIM_EMPTY_TABLE(zesGetPsuProcAddrTable, zes_psu_dditable_t)
XESIM_EMPTY_TABLE(zesGetFanProcAddrTable, zes_fan_dditable_t)
XESIM_EMPTY_TABLE(zesGetLedProcAddrTable, zes_led_dditable_t)
XESIM_EMPTY_TABLE(zesGetRasProcAddrTable, zes_ras_dditable_t)
XESIM_EMPTY_TABLE(zesGetDiagnosticsProcAddrTable, zes_diagnostics_dditable_t)
