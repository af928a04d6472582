// Dispatch tables of the tools: program debug. The device has no metrics and no instrumentation;
// members left empty make loaders answer UNSUPPORTED_FEATURE.
#include <level_zero/zet_ddi.h>

#include "driver/ddi_table.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

// No metric groups: the one query of metrics that tools make before they ask for more.
ze_result_t zetMetricGroupGet(zet_device_handle_t hDevice, uint32_t* pCount,
                              zet_metric_group_handle_t* phMetricGroups) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return enumerate(pCount, phMetricGroups, 0, [](zet_metric_group_handle_t&, std::uint32_t) {});
}

XESIM_EMPTY_TABLE(zetGetContextProcAddrTable, zet_context_dditable_t)
XESIM_EMPTY_TABLE(zetGetCommandListProcAddrTable, zet_command_list_dditable_t)
XESIM_EMPTY_TABLE(zetGetKernelProcAddrTable, zet_kernel_dditable_t)
XESIM_EMPTY_TABLE(zetGetMetricGroupExpProcAddrTable, zet_metric_group_exp_dditable_t)
XESIM_EMPTY_TABLE(zetGetMetricProcAddrTable, zet_metric_dditable_t)
XESIM_EMPTY_TABLE(zetGetMetricStreamerProcAddrTable, zet_metric_streamer_dditable_t)
XESIM_EMPTY_TABLE(zetGetMetricQueryPoolProcAddrTable, zet_metric_query_pool_dditable_t)
XESIM_EMPTY_TABLE(zetGetMetricQueryProcAddrTable, zet_metric_query_dditable_t)
XESIM_EMPTY_TABLE(zetGetTracerExpProcAddrTable, zet_tracer_exp_dditable_t)

ze_result_t zetGetDeviceProcAddrTable(ze_api_version_t version, zet_device_dditable_t* pDdiTable) {
  using Table = zet_device_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zetDeviceGetDebugProperties>(&Table::pfnGetDebugProperties)
      .result();
}

ze_result_t zetGetModuleProcAddrTable(ze_api_version_t version, zet_module_dditable_t* pDdiTable) {
  using Table = zet_module_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zetModuleGetDebugInfo>(&Table::pfnGetDebugInfo)
      .result();
}

ze_result_t zetGetMetricGroupProcAddrTable(ze_api_version_t version,
                                           zet_metric_group_dditable_t* pDdiTable) {
  using Table = zet_metric_group_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zetMetricGroupGet>(&Table::pfnGet)
      .result();
}

ze_result_t zetGetDebugProcAddrTable(ze_api_version_t version, zet_debug_dditable_t* pDdiTable) {
  using Table = zet_debug_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zetDebugAttach>(&Table::pfnAttach)
      .set<&zetDebugDetach>(&Table::pfnDetach)
      .set<&zetDebugReadEvent>(&Table::pfnReadEvent)
      .set<&zetDebugAcknowledgeEvent>(&Table::pfnAcknowledgeEvent)
      .set<&zetDebugInterrupt>(&Table::pfnInterrupt)
      .set<&zetDebugResume>(&Table::pfnResume)
      .set<&zetDebugReadMemory>(&Table::pfnReadMemory)
      .set<&zetDebugWriteMemory>(&Table::pfnWriteMemory)
      .set<&zetDebugGetRegisterSetProperties>(&Table::pfnGetRegisterSetProperties)
      .set<&zetDebugReadRegisters>(&Table::pfnReadRegisters)
      .set<&zetDebugWriteRegisters>(&Table::pfnWriteRegisters)
      .append<&later::debug_get_thread_register_set_properties>(11, 5)  // pfnGetThreadRegisterSetProperties
      .result();
}
