// Dispatch tables: driver, device, context, memory, modules and kernels.
#include <level_zero/ze_ddi.h>

#include "driver/ddi_table.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t zeGetGlobalProcAddrTable(ze_api_version_t version, ze_global_dditable_t* pDdiTable) {
  using Table = ze_global_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeInit>(&Table::pfnInit).append<&later::init_drivers>(1, 10)  // pfnInitDrivers
      .result();
}

ze_result_t zeGetDriverProcAddrTable(ze_api_version_t version, ze_driver_dditable_t* pDdiTable) {
  using Table = ze_driver_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeDriverGet>(&Table::pfnGet)
      .set<&zeDriverGetApiVersion>(&Table::pfnGetApiVersion)
      .set<&zeDriverGetProperties>(&Table::pfnGetProperties)
      .set<&zeDriverGetIpcProperties>(&Table::pfnGetIpcProperties)
      .set<&zeDriverGetExtensionProperties>(&Table::pfnGetExtensionProperties)
      .set<&zeDriverGetExtensionFunctionAddress>(&Table::pfnGetExtensionFunctionAddress, 1)
      .append<&later::driver_get_last_error_description>(6, 6)  // pfnGetLastErrorDescription
      .append<&later::driver_get_default_context>(8, 14)         // pfnGetDefaultContext
      .result();
}

ze_result_t zeGetDeviceProcAddrTable(ze_api_version_t version, ze_device_dditable_t* pDdiTable) {
  using Table = ze_device_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeDeviceGet>(&Table::pfnGet)
      .set<&zeDeviceGetSubDevices>(&Table::pfnGetSubDevices)
      .set<&zeDeviceGetProperties>(&Table::pfnGetProperties)
      .set<&zeDeviceGetComputeProperties>(&Table::pfnGetComputeProperties)
      .set<&zeDeviceGetModuleProperties>(&Table::pfnGetModuleProperties)
      .set<&zeDeviceGetCommandQueueGroupProperties>(&Table::pfnGetCommandQueueGroupProperties)
      .set<&zeDeviceGetMemoryProperties>(&Table::pfnGetMemoryProperties)
      .set<&zeDeviceGetMemoryAccessProperties>(&Table::pfnGetMemoryAccessProperties)
      .set<&zeDeviceGetCacheProperties>(&Table::pfnGetCacheProperties)
      .set<&zeDeviceGetImageProperties>(&Table::pfnGetImageProperties)
      .set<&zeDeviceGetExternalMemoryProperties>(&Table::pfnGetExternalMemoryProperties)
      .set<&zeDeviceGetP2PProperties>(&Table::pfnGetP2PProperties)
      .set<&zeDeviceCanAccessPeer>(&Table::pfnCanAccessPeer)
      .set<&zeDeviceGetStatus>(&Table::pfnGetStatus)
      .set<&zeDeviceGetGlobalTimestamps>(&Table::pfnGetGlobalTimestamps)
      .unsupported(&Table::pfnReserveCacheExt, 2)
      .unsupported(&Table::pfnSetCacheAdviceExt, 2)
      .set<&zeDevicePciGetPropertiesExt>(&Table::pfnPciGetPropertiesExt, 2)
      .append<&later::device_get_root_device>(18, 7)     // pfnGetRootDevice
      .append<&later::device_get_vector_widths>(21, 13)  // pfnGetVectorWidthPropertiesExt
      .append<&later::device_synchronize>(22, 14)        // pfnSynchronize
      .result();
}

ze_result_t zeGetDeviceExpProcAddrTable(ze_api_version_t version,
                                        ze_device_exp_dditable_t* pDdiTable) {
  using Table = ze_device_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeDeviceGetFabricVertexExp>(&Table::pfnGetFabricVertexExp, 4)
      .result();
}

ze_result_t zeGetFabricVertexExpProcAddrTable(ze_api_version_t version,
                                              ze_fabric_vertex_exp_dditable_t* pDdiTable) {
  using Table = ze_fabric_vertex_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeFabricVertexGetExp>(&Table::pfnGetExp, 4)
      .set<&zeFabricVertexGetSubVerticesExp>(&Table::pfnGetSubVerticesExp, 4)
      .set<&zeFabricVertexGetPropertiesExp>(&Table::pfnGetPropertiesExp, 4)
      .set<&zeFabricVertexGetDeviceExp>(&Table::pfnGetDeviceExp, 4)
      .result();
}

ze_result_t zeGetFabricEdgeExpProcAddrTable(ze_api_version_t version,
                                            ze_fabric_edge_exp_dditable_t* pDdiTable) {
  using Table = ze_fabric_edge_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeFabricEdgeGetExp>(&Table::pfnGetExp, 4)
      .set<&zeFabricEdgeGetVerticesExp>(&Table::pfnGetVerticesExp, 4)
      .set<&zeFabricEdgeGetPropertiesExp>(&Table::pfnGetPropertiesExp, 4)
      .result();
}

ze_result_t zeGetContextProcAddrTable(ze_api_version_t version, ze_context_dditable_t* pDdiTable) {
  using Table = ze_context_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeContextCreate>(&Table::pfnCreate)
      .set<&zeContextDestroy>(&Table::pfnDestroy)
      .set<&zeContextGetStatus>(&Table::pfnGetStatus)
      .set<&zeContextSystemBarrier>(&Table::pfnSystemBarrier)
      .set<&zeContextMakeMemoryResident>(&Table::pfnMakeMemoryResident)
      .set<&zeContextEvictMemory>(&Table::pfnEvictMemory)
      .set<&zeContextMakeImageResident>(&Table::pfnMakeImageResident)
      .set<&zeContextEvictImage>(&Table::pfnEvictImage)
      .set<&zeContextCreateEx>(&Table::pfnCreateEx, 1)
      .result();
}

ze_result_t zeGetMemProcAddrTable(ze_api_version_t version, ze_mem_dditable_t* pDdiTable) {
  using Table = ze_mem_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeMemAllocShared>(&Table::pfnAllocShared)
      .set<&zeMemAllocDevice>(&Table::pfnAllocDevice)
      .set<&zeMemAllocHost>(&Table::pfnAllocHost)
      .set<&zeMemFree>(&Table::pfnFree)
      .set<&zeMemGetAllocProperties>(&Table::pfnGetAllocProperties)
      .set<&zeMemGetAddressRange>(&Table::pfnGetAddressRange)
      .set<&zeMemGetIpcHandle>(&Table::pfnGetIpcHandle)
      .set<&zeMemOpenIpcHandle>(&Table::pfnOpenIpcHandle)
      .set<&zeMemCloseIpcHandle>(&Table::pfnCloseIpcHandle)
      .set<&zeMemFreeExt>(&Table::pfnFreeExt, 3)
      .append<&later::mem_put_ipc_handle>(10, 6)                   // pfnPutIpcHandle
      .append<&later::mem_get_pitch_for_2d_image>(11, 9)           // pfnGetPitchFor2dImage
      .append<&later::mem_get_ipc_handle_with_properties>(12, 15)  // pfnGetIpcHandleWithProperties
      .result();
}

ze_result_t zeGetPhysicalMemProcAddrTable(ze_api_version_t version,
                                          ze_physical_mem_dditable_t* pDdiTable) {
  using Table = ze_physical_mem_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zePhysicalMemCreate>(&Table::pfnCreate)
      .set<&zePhysicalMemDestroy>(&Table::pfnDestroy)
      .append<&later::physical_mem_get_properties>(2, 15)  // pfnGetProperties
      .result();
}

ze_result_t zeGetVirtualMemProcAddrTable(ze_api_version_t version,
                                         ze_virtual_mem_dditable_t* pDdiTable) {
  using Table = ze_virtual_mem_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeVirtualMemReserve>(&Table::pfnReserve)
      .set<&zeVirtualMemFree>(&Table::pfnFree)
      .set<&zeVirtualMemQueryPageSize>(&Table::pfnQueryPageSize)
      .set<&zeVirtualMemMap>(&Table::pfnMap)
      .set<&zeVirtualMemUnmap>(&Table::pfnUnmap)
      .set<&zeVirtualMemSetAccessAttribute>(&Table::pfnSetAccessAttribute)
      .set<&zeVirtualMemGetAccessAttribute>(&Table::pfnGetAccessAttribute)
      .result();
}

ze_result_t zeGetModuleProcAddrTable(ze_api_version_t version, ze_module_dditable_t* pDdiTable) {
  using Table = ze_module_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeModuleCreate>(&Table::pfnCreate)
      .set<&zeModuleDestroy>(&Table::pfnDestroy)
      .set<&zeModuleDynamicLink>(&Table::pfnDynamicLink)
      .set<&zeModuleGetNativeBinary>(&Table::pfnGetNativeBinary)
      .set<&zeModuleGetGlobalPointer>(&Table::pfnGetGlobalPointer)
      .set<&zeModuleGetKernelNames>(&Table::pfnGetKernelNames)
      .set<&zeModuleGetProperties>(&Table::pfnGetProperties)
      .set<&zeModuleGetFunctionPointer>(&Table::pfnGetFunctionPointer)
      .set<&zeModuleInspectLinkageExt>(&Table::pfnInspectLinkageExt, 3)
      .result();
}

ze_result_t zeGetModuleBuildLogProcAddrTable(ze_api_version_t version,
                                             ze_module_build_log_dditable_t* pDdiTable) {
  using Table = ze_module_build_log_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeModuleBuildLogDestroy>(&Table::pfnDestroy)
      .set<&zeModuleBuildLogGetString>(&Table::pfnGetString)
      .result();
}

ze_result_t zeGetKernelProcAddrTable(ze_api_version_t version, ze_kernel_dditable_t* pDdiTable) {
  using Table = ze_kernel_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeKernelCreate>(&Table::pfnCreate)
      .set<&zeKernelDestroy>(&Table::pfnDestroy)
      .set<&zeKernelSetCacheConfig>(&Table::pfnSetCacheConfig)
      .set<&zeKernelSetGroupSize>(&Table::pfnSetGroupSize)
      .set<&zeKernelSuggestGroupSize>(&Table::pfnSuggestGroupSize)
      .set<&zeKernelSuggestMaxCooperativeGroupCount>(&Table::pfnSuggestMaxCooperativeGroupCount)
      .set<&zeKernelSetArgumentValue>(&Table::pfnSetArgumentValue)
      .set<&zeKernelSetIndirectAccess>(&Table::pfnSetIndirectAccess)
      .set<&zeKernelGetIndirectAccess>(&Table::pfnGetIndirectAccess)
      .set<&zeKernelGetSourceAttributes>(&Table::pfnGetSourceAttributes)
      .set<&zeKernelGetProperties>(&Table::pfnGetProperties)
      .set<&zeKernelGetName>(&Table::pfnGetName)
      .result();
}

ze_result_t zeGetKernelExpProcAddrTable(ze_api_version_t version,
                                        ze_kernel_exp_dditable_t* pDdiTable) {
  using Table = ze_kernel_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeKernelSetGlobalOffsetExp>(&Table::pfnSetGlobalOffsetExp, 1)
      .set<&zeKernelSchedulingHintExp>(&Table::pfnSchedulingHintExp, 2)
      .append<&later::kernel_get_binary>(2, 11)                 // pfnGetBinaryExp
      .append<&later::kernel_get_allocation_properties>(3, 14)  // pfnGetAllocationPropertiesExp
      .result();
}
