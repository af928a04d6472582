// Dispatch tables: driver, device, context, memory, modules and kernels.
#include <level_zero/ze_ddi.h>

#include "driver/ddi_table.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t zeGetGlobalProcAddrTable(ze_api_version_t version, ze_global_dditable_t* pDdiTable) {
  using Table = ze_global_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnInit, &zeInit).append(1, &later::init_drivers, 10)  // pfnInitDrivers
      .result();
}

ze_result_t zeGetDriverProcAddrTable(ze_api_version_t version, ze_driver_dditable_t* pDdiTable) {
  using Table = ze_driver_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGet, &zeDriverGet)
      .set(&Table::pfnGetApiVersion, &zeDriverGetApiVersion)
      .set(&Table::pfnGetProperties, &zeDriverGetProperties)
      .set(&Table::pfnGetIpcProperties, &zeDriverGetIpcProperties)
      .set(&Table::pfnGetExtensionProperties, &zeDriverGetExtensionProperties)
      .set(&Table::pfnGetExtensionFunctionAddress, &zeDriverGetExtensionFunctionAddress, 1)
      .append(6, &later::driver_get_last_error_description, 6)  // pfnGetLastErrorDescription
      .append(8, &later::driver_get_default_context, 14)         // pfnGetDefaultContext
      .result();
}

ze_result_t zeGetDeviceProcAddrTable(ze_api_version_t version, ze_device_dditable_t* pDdiTable) {
  using Table = ze_device_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGet, &zeDeviceGet)
      .set(&Table::pfnGetSubDevices, &zeDeviceGetSubDevices)
      .set(&Table::pfnGetProperties, &zeDeviceGetProperties)
      .set(&Table::pfnGetComputeProperties, &zeDeviceGetComputeProperties)
      .set(&Table::pfnGetModuleProperties, &zeDeviceGetModuleProperties)
      .set(&Table::pfnGetCommandQueueGroupProperties, &zeDeviceGetCommandQueueGroupProperties)
      .set(&Table::pfnGetMemoryProperties, &zeDeviceGetMemoryProperties)
      .set(&Table::pfnGetMemoryAccessProperties, &zeDeviceGetMemoryAccessProperties)
      .set(&Table::pfnGetCacheProperties, &zeDeviceGetCacheProperties)
      .set(&Table::pfnGetImageProperties, &zeDeviceGetImageProperties)
      .set(&Table::pfnGetExternalMemoryProperties, &zeDeviceGetExternalMemoryProperties)
      .set(&Table::pfnGetP2PProperties, &zeDeviceGetP2PProperties)
      .set(&Table::pfnCanAccessPeer, &zeDeviceCanAccessPeer)
      .set(&Table::pfnGetStatus, &zeDeviceGetStatus)
      .set(&Table::pfnGetGlobalTimestamps, &zeDeviceGetGlobalTimestamps)
      .unsupported(&Table::pfnReserveCacheExt, 2)
      .unsupported(&Table::pfnSetCacheAdviceExt, 2)
      .set(&Table::pfnPciGetPropertiesExt, &zeDevicePciGetPropertiesExt, 2)
      .append(18, &later::device_get_root_device, 7)     // pfnGetRootDevice
      .append(21, &later::device_get_vector_widths, 13)  // pfnGetVectorWidthPropertiesExt
      .append(22, &later::device_synchronize, 14)        // pfnSynchronize
      .result();
}

ze_result_t zeGetDeviceExpProcAddrTable(ze_api_version_t version,
                                        ze_device_exp_dditable_t* pDdiTable) {
  using Table = ze_device_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGetFabricVertexExp, &zeDeviceGetFabricVertexExp, 4)
      .result();
}

ze_result_t zeGetFabricVertexExpProcAddrTable(ze_api_version_t version,
                                              ze_fabric_vertex_exp_dditable_t* pDdiTable) {
  using Table = ze_fabric_vertex_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGetExp, &zeFabricVertexGetExp, 4)
      .set(&Table::pfnGetSubVerticesExp, &zeFabricVertexGetSubVerticesExp, 4)
      .set(&Table::pfnGetPropertiesExp, &zeFabricVertexGetPropertiesExp, 4)
      .set(&Table::pfnGetDeviceExp, &zeFabricVertexGetDeviceExp, 4)
      .result();
}

ze_result_t zeGetFabricEdgeExpProcAddrTable(ze_api_version_t version,
                                            ze_fabric_edge_exp_dditable_t* pDdiTable) {
  using Table = ze_fabric_edge_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGetExp, &zeFabricEdgeGetExp, 4)
      .set(&Table::pfnGetVerticesExp, &zeFabricEdgeGetVerticesExp, 4)
      .set(&Table::pfnGetPropertiesExp, &zeFabricEdgeGetPropertiesExp, 4)
      .result();
}

ze_result_t zeGetContextProcAddrTable(ze_api_version_t version, ze_context_dditable_t* pDdiTable) {
  using Table = ze_context_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeContextCreate)
      .set(&Table::pfnDestroy, &zeContextDestroy)
      .set(&Table::pfnGetStatus, &zeContextGetStatus)
      .set(&Table::pfnSystemBarrier, &zeContextSystemBarrier)
      .set(&Table::pfnMakeMemoryResident, &zeContextMakeMemoryResident)
      .set(&Table::pfnEvictMemory, &zeContextEvictMemory)
      .set(&Table::pfnMakeImageResident, &zeContextMakeImageResident)
      .set(&Table::pfnEvictImage, &zeContextEvictImage)
      .set(&Table::pfnCreateEx, &zeContextCreateEx, 1)
      .result();
}

ze_result_t zeGetMemProcAddrTable(ze_api_version_t version, ze_mem_dditable_t* pDdiTable) {
  using Table = ze_mem_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnAllocShared, &zeMemAllocShared)
      .set(&Table::pfnAllocDevice, &zeMemAllocDevice)
      .set(&Table::pfnAllocHost, &zeMemAllocHost)
      .set(&Table::pfnFree, &zeMemFree)
      .set(&Table::pfnGetAllocProperties, &zeMemGetAllocProperties)
      .set(&Table::pfnGetAddressRange, &zeMemGetAddressRange)
      .set(&Table::pfnGetIpcHandle, &zeMemGetIpcHandle)
      .set(&Table::pfnOpenIpcHandle, &zeMemOpenIpcHandle)
      .set(&Table::pfnCloseIpcHandle, &zeMemCloseIpcHandle)
      .set(&Table::pfnFreeExt, &zeMemFreeExt, 3)
      .append(10, &later::mem_put_ipc_handle, 6)                   // pfnPutIpcHandle
      .append(11, &later::mem_get_pitch_for_2d_image, 9)           // pfnGetPitchFor2dImage
      .append(12, &later::mem_get_ipc_handle_with_properties, 15)  // pfnGetIpcHandleWithProperties
      .result();
}

ze_result_t zeGetPhysicalMemProcAddrTable(ze_api_version_t version,
                                          ze_physical_mem_dditable_t* pDdiTable) {
  using Table = ze_physical_mem_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zePhysicalMemCreate)
      .set(&Table::pfnDestroy, &zePhysicalMemDestroy)
      .append(2, &later::physical_mem_get_properties, 15)  // pfnGetProperties
      .result();
}

ze_result_t zeGetVirtualMemProcAddrTable(ze_api_version_t version,
                                         ze_virtual_mem_dditable_t* pDdiTable) {
  using Table = ze_virtual_mem_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnReserve, &zeVirtualMemReserve)
      .set(&Table::pfnFree, &zeVirtualMemFree)
      .set(&Table::pfnQueryPageSize, &zeVirtualMemQueryPageSize)
      .set(&Table::pfnMap, &zeVirtualMemMap)
      .set(&Table::pfnUnmap, &zeVirtualMemUnmap)
      .set(&Table::pfnSetAccessAttribute, &zeVirtualMemSetAccessAttribute)
      .set(&Table::pfnGetAccessAttribute, &zeVirtualMemGetAccessAttribute)
      .result();
}

ze_result_t zeGetModuleProcAddrTable(ze_api_version_t version, ze_module_dditable_t* pDdiTable) {
  using Table = ze_module_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeModuleCreate)
      .set(&Table::pfnDestroy, &zeModuleDestroy)
      .set(&Table::pfnDynamicLink, &zeModuleDynamicLink)
      .set(&Table::pfnGetNativeBinary, &zeModuleGetNativeBinary)
      .set(&Table::pfnGetGlobalPointer, &zeModuleGetGlobalPointer)
      .set(&Table::pfnGetKernelNames, &zeModuleGetKernelNames)
      .set(&Table::pfnGetProperties, &zeModuleGetProperties)
      .set(&Table::pfnGetFunctionPointer, &zeModuleGetFunctionPointer)
      .unsupported(&Table::pfnInspectLinkageExt, 3)
      .result();
}

ze_result_t zeGetModuleBuildLogProcAddrTable(ze_api_version_t version,
                                             ze_module_build_log_dditable_t* pDdiTable) {
  using Table = ze_module_build_log_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnDestroy, &zeModuleBuildLogDestroy)
      .set(&Table::pfnGetString, &zeModuleBuildLogGetString)
      .result();
}

ze_result_t zeGetKernelProcAddrTable(ze_api_version_t version, ze_kernel_dditable_t* pDdiTable) {
  using Table = ze_kernel_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeKernelCreate)
      .set(&Table::pfnDestroy, &zeKernelDestroy)
      .set(&Table::pfnSetCacheConfig, &zeKernelSetCacheConfig)
      .set(&Table::pfnSetGroupSize, &zeKernelSetGroupSize)
      .set(&Table::pfnSuggestGroupSize, &zeKernelSuggestGroupSize)
      .set(&Table::pfnSuggestMaxCooperativeGroupCount, &zeKernelSuggestMaxCooperativeGroupCount)
      .set(&Table::pfnSetArgumentValue, &zeKernelSetArgumentValue)
      .set(&Table::pfnSetIndirectAccess, &zeKernelSetIndirectAccess)
      .set(&Table::pfnGetIndirectAccess, &zeKernelGetIndirectAccess)
      .set(&Table::pfnGetSourceAttributes, &zeKernelGetSourceAttributes)
      .set(&Table::pfnGetProperties, &zeKernelGetProperties)
      .set(&Table::pfnGetName, &zeKernelGetName)
      .result();
}

ze_result_t zeGetKernelExpProcAddrTable(ze_api_version_t version,
                                        ze_kernel_exp_dditable_t* pDdiTable) {
  using Table = ze_kernel_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnSetGlobalOffsetExp, &zeKernelSetGlobalOffsetExp, 1)
      .set(&Table::pfnSchedulingHintExp, &zeKernelSchedulingHintExp, 2)
      .append(2, &later::kernel_get_binary, 11)                 // pfnGetBinaryExp
      .append(3, &later::kernel_get_allocation_properties, 14)  // pfnGetAllocationPropertiesExp
      .result();
}
