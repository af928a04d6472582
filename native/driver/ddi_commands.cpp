// Dispatch tables: queues, lists, synchronisation, images and samplers.
#include <level_zero/ze_ddi.h>

#include "driver/ddi_table.hpp"
#include "driver/event_timestamps.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t zeGetCommandQueueProcAddrTable(ze_api_version_t version,
                                           ze_command_queue_dditable_t* pDdiTable) {
  using Table = ze_command_queue_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeCommandQueueCreate>(&Table::pfnCreate)
      .set<&zeCommandQueueDestroy>(&Table::pfnDestroy)
      .set<&zeCommandQueueExecuteCommandLists>(&Table::pfnExecuteCommandLists)
      .set<&zeCommandQueueSynchronize>(&Table::pfnSynchronize)
      .append<&later::command_queue_get_ordinal>(4, 9)  // pfnGetOrdinal
      .append<&later::command_queue_get_index>(5, 9)     // pfnGetIndex
      .append<&later::command_queue_get_flags>(6, 17)    // pfnGetFlags
      .append<&later::command_queue_get_mode>(7, 17)     // pfnGetMode
      .append<&later::command_queue_get_priority>(8, 17) // pfnGetPriority
      .result();
}

ze_result_t zeGetCommandListProcAddrTable(ze_api_version_t version,
                                          ze_command_list_dditable_t* pDdiTable) {
  using Table = ze_command_list_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeCommandListCreate>(&Table::pfnCreate)
      .set<&zeCommandListCreateImmediate>(&Table::pfnCreateImmediate)
      .set<&zeCommandListDestroy>(&Table::pfnDestroy)
      .set<&zeCommandListClose>(&Table::pfnClose)
      .set<&zeCommandListReset>(&Table::pfnReset)
      .set<&zeCommandListAppendWriteGlobalTimestamp>(&Table::pfnAppendWriteGlobalTimestamp)
      .set<&zeCommandListAppendBarrier>(&Table::pfnAppendBarrier)
      .set<&zeCommandListAppendMemoryRangesBarrier>(&Table::pfnAppendMemoryRangesBarrier)
      .set<&zeCommandListAppendMemoryCopy>(&Table::pfnAppendMemoryCopy)
      .set<&zeCommandListAppendMemoryFill>(&Table::pfnAppendMemoryFill)
      .set<&zeCommandListAppendMemoryCopyRegion>(&Table::pfnAppendMemoryCopyRegion)
      .set<&zeCommandListAppendMemoryCopyFromContext>(&Table::pfnAppendMemoryCopyFromContext)
      .set<&zeCommandListAppendImageCopy>(&Table::pfnAppendImageCopy)
      .set<&zeCommandListAppendImageCopyRegion>(&Table::pfnAppendImageCopyRegion)
      .set<&zeCommandListAppendImageCopyToMemory>(&Table::pfnAppendImageCopyToMemory)
      .set<&zeCommandListAppendImageCopyFromMemory>(&Table::pfnAppendImageCopyFromMemory)
      .set<&zeCommandListAppendMemoryPrefetch>(&Table::pfnAppendMemoryPrefetch)
      .set<&zeCommandListAppendMemAdvise>(&Table::pfnAppendMemAdvise)
      .set<&zeCommandListAppendSignalEvent>(&Table::pfnAppendSignalEvent)
      .set<&zeCommandListAppendWaitOnEvents>(&Table::pfnAppendWaitOnEvents)
      .set<&zeCommandListAppendEventReset>(&Table::pfnAppendEventReset)
      .set<&zeCommandListAppendQueryKernelTimestamps>(&Table::pfnAppendQueryKernelTimestamps)
      .set<&zeCommandListAppendLaunchKernel>(&Table::pfnAppendLaunchKernel)
      .set<&zeCommandListAppendLaunchCooperativeKernel>(&Table::pfnAppendLaunchCooperativeKernel)
      .set<&zeCommandListAppendLaunchKernelIndirect>(&Table::pfnAppendLaunchKernelIndirect)
      .set<&zeCommandListAppendLaunchMultipleKernelsIndirect>(&Table::pfnAppendLaunchMultipleKernelsIndirect)
      .set<&zeCommandListAppendImageCopyToMemoryExt>(&Table::pfnAppendImageCopyToMemoryExt, 3)
      .set<&zeCommandListAppendImageCopyFromMemoryExt>(&Table::pfnAppendImageCopyFromMemoryExt,
           3)
      .append<&later::command_list_host_synchronize>(28, 9)     // pfnHostSynchronize
      .append<&later::command_list_get_device>(29, 9)           // pfnGetDeviceHandle
      .append<&later::command_list_get_context>(30, 9)          // pfnGetContextHandle
      .append<&later::command_list_get_ordinal>(31, 9)          // pfnGetOrdinal
      .append<&later::command_list_immediate_get_index>(32, 9)  // pfnImmediateGetIndex
      .append<&later::command_list_is_immediate>(33, 9)        // pfnIsImmediate
      .append<&later::command_list_append_launch_with_parameters>(36, 14)  // pfnAppendLaunchKernelWithParameters
      .append<&later::command_list_append_launch_with_arguments>(37, 14)  // pfnAppendLaunchKernelWithArguments
      .append<&later::command_list_append_memory_copy_with_parameters>(38, 16)  // pfnAppendMemoryCopyWithParameters
      .append<&later::command_list_append_memory_fill_with_parameters>(39, 16)  // pfnAppendMemoryFillWithParameters
      .append<&later::command_list_immediate_append_command_lists_with_parameters>(40, 16)  // pfnImmediateAppendCommandListsWithParameters
      .append<&later::command_list_get_flags>(41, 17)               // pfnGetFlags
      .append<&later::command_list_immediate_get_flags>(42, 17)     // pfnImmediateGetFlags
      .append<&later::command_list_immediate_get_mode>(43, 17)      // pfnImmediateGetMode
      .append<&later::command_list_immediate_get_priority>(44, 17)  // pfnImmediateGetPriority
      .append<&later::command_list_append_host_function>(51, 17)    // pfnAppendHostFunction
      .result();
}

ze_result_t zeGetImageProcAddrTable(ze_api_version_t version, ze_image_dditable_t* pDdiTable) {
  using Table = ze_image_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeImageGetProperties>(&Table::pfnGetProperties)
      .set<&zeImageCreate>(&Table::pfnCreate)
      .set<&zeImageDestroy>(&Table::pfnDestroy)
      .set<&zeImageGetAllocPropertiesExt>(&Table::pfnGetAllocPropertiesExt, 3)
      .append<&later::image_view_create>(4, 5)  // pfnViewCreateExt
      .result();
}

ze_result_t zeGetImageExpProcAddrTable(ze_api_version_t version,
                                       ze_image_exp_dditable_t* pDdiTable) {
  using Table = ze_image_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeImageGetMemoryPropertiesExp>(&Table::pfnGetMemoryPropertiesExp, 2)
      .set<&zeImageViewCreateExp>(&Table::pfnViewCreateExp, 2)
      .append<&later::image_get_device_offset>(2, 9)  // pfnGetDeviceOffsetExp
      .result();
}

ze_result_t zeGetFenceProcAddrTable(ze_api_version_t version, ze_fence_dditable_t* pDdiTable) {
  using Table = ze_fence_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeFenceCreate>(&Table::pfnCreate)
      .set<&zeFenceDestroy>(&Table::pfnDestroy)
      .set<&zeFenceHostSynchronize>(&Table::pfnHostSynchronize)
      .set<&zeFenceQueryStatus>(&Table::pfnQueryStatus)
      .set<&zeFenceReset>(&Table::pfnReset)
      .result();
}

ze_result_t zeGetEventPoolProcAddrTable(ze_api_version_t version,
                                        ze_event_pool_dditable_t* pDdiTable) {
  using Table = ze_event_pool_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeEventPoolCreate>(&Table::pfnCreate)
      .set<&zeEventPoolDestroy>(&Table::pfnDestroy)
      .set<&zeEventPoolGetIpcHandle>(&Table::pfnGetIpcHandle)
      .set<&zeEventPoolOpenIpcHandle>(&Table::pfnOpenIpcHandle)
      .set<&zeEventPoolCloseIpcHandle>(&Table::pfnCloseIpcHandle)
      .append<&later::event_pool_put_ipc_handle>(5, 6)  // pfnPutIpcHandle
      .append<&later::event_pool_get_context>(6, 9)  // pfnGetContextHandle
      .append<&later::event_pool_get_flags>(7, 9)   // pfnGetFlags
      .result();
}

ze_result_t zeGetEventProcAddrTable(ze_api_version_t version, ze_event_dditable_t* pDdiTable) {
  using Table = ze_event_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeEventCreate>(&Table::pfnCreate)
      .set<&zeEventDestroy>(&Table::pfnDestroy)
      .set<&zeEventHostSignal>(&Table::pfnHostSignal)
      .set<&zeEventHostSynchronize>(&Table::pfnHostSynchronize)
      .set<&zeEventQueryStatus>(&Table::pfnQueryStatus)
      .set<&zeEventHostReset>(&Table::pfnHostReset)
      .set<&zeEventQueryKernelTimestamp>(&Table::pfnQueryKernelTimestamp)
      .append<&later::event_query_kernel_timestamps>(7, 6)  // pfnQueryKernelTimestampsExt
      .append<&later::event_get_event_pool>(8, 9)    // pfnGetEventPool
      .append<&later::event_get_signal_scope>(9, 9)  // pfnGetSignalScope
      .append<&later::event_get_wait_scope>(10, 9)  // pfnGetWaitScope
      .append<&later::event_counter_based_create>(11, 15)     // pfnCounterBasedCreate
      .append<&later::event_counter_based_get_ipc_handle>(12, 15)    // pfnCounterBasedGetIpcHandle
      .append<&later::event_counter_based_open_ipc_handle>(13, 15)   // pfnCounterBasedOpenIpcHandle
      .append<&later::event_counter_based_close_ipc_handle>(14, 15)  // pfnCounterBasedCloseIpcHandle
      .append<&later::event_get_counter_based_flags>(16, 17)  // pfnGetCounterBasedFlags
      .result();
}

ze_result_t zeGetEventExpProcAddrTable(ze_api_version_t version,
                                       ze_event_exp_dditable_t* pDdiTable) {
  using Table = ze_event_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeEventQueryTimestampsExp>(&Table::pfnQueryTimestampsExp, 2)
      .result();
}

ze_result_t zeGetSamplerProcAddrTable(ze_api_version_t version, ze_sampler_dditable_t* pDdiTable) {
  using Table = ze_sampler_dditable_t;
  return DdiTable(version, pDdiTable)
      .set<&zeSamplerCreate>(&Table::pfnCreate).set<&zeSamplerDestroy>(&Table::pfnDestroy)
      .result();
}
