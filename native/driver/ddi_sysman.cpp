// Dispatch tables of system management, which the simulated device does not have: loaders refuse a
// driver that lacks these getters, and answer UNSUPPORTED_FEATURE for members left empty.
#include <level_zero/zes_ddi.h>

#include "driver/ddi_table.hpp"

using namespace xesim::driver;

ze_result_t zesGetDriverProcAddrTable(ze_api_version_t version, zes_driver_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetDeviceProcAddrTable(ze_api_version_t version, zes_device_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetSchedulerProcAddrTable(ze_api_version_t version,
                                         zes_scheduler_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetPerformanceFactorProcAddrTable(ze_api_version_t version,
                                                 zes_performance_factor_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetPowerProcAddrTable(ze_api_version_t version, zes_power_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetFrequencyProcAddrTable(ze_api_version_t version,
                                         zes_frequency_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetEngineProcAddrTable(ze_api_version_t version, zes_engine_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetStandbyProcAddrTable(ze_api_version_t version,
                                       zes_standby_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetFirmwareProcAddrTable(ze_api_version_t version,
                                        zes_firmware_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetMemoryProcAddrTable(ze_api_version_t version, zes_memory_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetFabricPortProcAddrTable(ze_api_version_t version,
                                          zes_fabric_port_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetTemperatureProcAddrTable(ze_api_version_t version,
                                           zes_temperature_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetPsuProcAddrTable(ze_api_version_t version, zes_psu_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetFanProcAddrTable(ze_api_version_t version, zes_fan_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetLedProcAddrTable(ze_api_version_t version, zes_led_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetRasProcAddrTable(ze_api_version_t version, zes_ras_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}

ze_result_t zesGetDiagnosticsProcAddrTable(ze_api_version_t version,
                                           zes_diagnostics_dditable_t* pDdiTable) {
  return DdiTable(version, pDdiTable).check();
}
