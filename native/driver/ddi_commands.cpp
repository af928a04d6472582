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
      .set(&Table::pfnCreate, &zeCommandQueueCreate)
      .set(&Table::pfnDestroy, &zeCommandQueueDestroy)
      .set(&Table::pfnExecuteCommandLists, &zeCommandQueueExecuteCommandLists)
      .set(&Table::pfnSynchronize, &zeCommandQueueSynchronize)
      .append(4, &later::command_queue_get_ordinal, 9)  // pfnGetOrdinal
      .append(5, &later::command_queue_get_index, 9)     // pfnGetIndex
      .append(6, &later::command_queue_get_flags, 17)    // pfnGetFlags
      .append(7, &later::command_queue_get_mode, 17)     // pfnGetMode
      .append(8, &later::command_queue_get_priority, 17) // pfnGetPriority
      .result();
}

ze_result_t zeGetCommandListProcAddrTable(ze_api_version_t version,
                                          ze_command_list_dditable_t* pDdiTable) {
  using Table = ze_command_list_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeCommandListCreate)
      .set(&Table::pfnCreateImmediate, &zeCommandListCreateImmediate)
      .set(&Table::pfnDestroy, &zeCommandListDestroy)
      .set(&Table::pfnClose, &zeCommandListClose)
      .set(&Table::pfnReset, &zeCommandListReset)
      .set(&Table::pfnAppendWriteGlobalTimestamp, &zeCommandListAppendWriteGlobalTimestamp)
      .set(&Table::pfnAppendBarrier, &zeCommandListAppendBarrier)
      .set(&Table::pfnAppendMemoryRangesBarrier, &zeCommandListAppendMemoryRangesBarrier)
      .set(&Table::pfnAppendMemoryCopy, &zeCommandListAppendMemoryCopy)
      .set(&Table::pfnAppendMemoryFill, &zeCommandListAppendMemoryFill)
      .set(&Table::pfnAppendMemoryCopyRegion, &zeCommandListAppendMemoryCopyRegion)
      .set(&Table::pfnAppendMemoryCopyFromContext, &zeCommandListAppendMemoryCopyFromContext)
      .set(&Table::pfnAppendImageCopy, &zeCommandListAppendImageCopy)
      .set(&Table::pfnAppendImageCopyRegion, &zeCommandListAppendImageCopyRegion)
      .set(&Table::pfnAppendImageCopyToMemory, &zeCommandListAppendImageCopyToMemory)
      .set(&Table::pfnAppendImageCopyFromMemory, &zeCommandListAppendImageCopyFromMemory)
      .set(&Table::pfnAppendMemoryPrefetch, &zeCommandListAppendMemoryPrefetch)
      .set(&Table::pfnAppendMemAdvise, &zeCommandListAppendMemAdvise)
      .set(&Table::pfnAppendSignalEvent, &zeCommandListAppendSignalEvent)
      .set(&Table::pfnAppendWaitOnEvents, &zeCommandListAppendWaitOnEvents)
      .set(&Table::pfnAppendEventReset, &zeCommandListAppendEventReset)
      .set(&Table::pfnAppendQueryKernelTimestamps, &zeCommandListAppendQueryKernelTimestamps)
      .set(&Table::pfnAppendLaunchKernel, &zeCommandListAppendLaunchKernel)
      .set(&Table::pfnAppendLaunchCooperativeKernel, &zeCommandListAppendLaunchCooperativeKernel)
      .set(&Table::pfnAppendLaunchKernelIndirect, &zeCommandListAppendLaunchKernelIndirect)
      .set(&Table::pfnAppendLaunchMultipleKernelsIndirect,
           &zeCommandListAppendLaunchMultipleKernelsIndirect)
      .set(&Table::pfnAppendImageCopyToMemoryExt, &zeCommandListAppendImageCopyToMemoryExt, 3)
      .set(&Table::pfnAppendImageCopyFromMemoryExt, &zeCommandListAppendImageCopyFromMemoryExt,
           3)
      .append(28, &later::command_list_host_synchronize, 9)     // pfnHostSynchronize
      .append(29, &later::command_list_get_device, 9)           // pfnGetDeviceHandle
      .append(30, &later::command_list_get_context, 9)          // pfnGetContextHandle
      .append(31, &later::command_list_get_ordinal, 9)          // pfnGetOrdinal
      .append(32, &later::command_list_immediate_get_index, 9)  // pfnImmediateGetIndex
      .append(33, &later::command_list_is_immediate, 9)        // pfnIsImmediate
      .append(36, &later::command_list_append_launch_with_parameters,
              14)  // pfnAppendLaunchKernelWithParameters
      .append(37, &later::command_list_append_launch_with_arguments,
              14)  // pfnAppendLaunchKernelWithArguments
      .append(38, &later::command_list_append_memory_copy_with_parameters,
              16)  // pfnAppendMemoryCopyWithParameters
      .append(39, &later::command_list_append_memory_fill_with_parameters,
              16)  // pfnAppendMemoryFillWithParameters
      .append(40, &later::command_list_immediate_append_command_lists_with_parameters,
              16)  // pfnImmediateAppendCommandListsWithParameters
      .append(41, &later::command_list_get_flags, 17)               // pfnGetFlags
      .append(42, &later::command_list_immediate_get_flags, 17)     // pfnImmediateGetFlags
      .append(43, &later::command_list_immediate_get_mode, 17)      // pfnImmediateGetMode
      .append(44, &later::command_list_immediate_get_priority, 17)  // pfnImmediateGetPriority
      .append(51, &later::command_list_append_host_function, 17)    // pfnAppendHostFunction
      .result();
}

ze_result_t zeGetImageProcAddrTable(ze_api_version_t version, ze_image_dditable_t* pDdiTable) {
  using Table = ze_image_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGetProperties, &zeImageGetProperties)
      .set(&Table::pfnCreate, &zeImageCreate)
      .set(&Table::pfnDestroy, &zeImageDestroy)
      .set(&Table::pfnGetAllocPropertiesExt, &zeImageGetAllocPropertiesExt, 3)
      .append(4, &later::image_view_create, 5)  // pfnViewCreateExt
      .result();
}

ze_result_t zeGetImageExpProcAddrTable(ze_api_version_t version,
                                       ze_image_exp_dditable_t* pDdiTable) {
  using Table = ze_image_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnGetMemoryPropertiesExp, &zeImageGetMemoryPropertiesExp, 2)
      .set(&Table::pfnViewCreateExp, &zeImageViewCreateExp, 2)
      .append(2, &later::image_get_device_offset, 9)  // pfnGetDeviceOffsetExp
      .result();
}

ze_result_t zeGetFenceProcAddrTable(ze_api_version_t version, ze_fence_dditable_t* pDdiTable) {
  using Table = ze_fence_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeFenceCreate)
      .set(&Table::pfnDestroy, &zeFenceDestroy)
      .set(&Table::pfnHostSynchronize, &zeFenceHostSynchronize)
      .set(&Table::pfnQueryStatus, &zeFenceQueryStatus)
      .set(&Table::pfnReset, &zeFenceReset)
      .result();
}

ze_result_t zeGetEventPoolProcAddrTable(ze_api_version_t version,
                                        ze_event_pool_dditable_t* pDdiTable) {
  using Table = ze_event_pool_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeEventPoolCreate)
      .set(&Table::pfnDestroy, &zeEventPoolDestroy)
      .set(&Table::pfnGetIpcHandle, &zeEventPoolGetIpcHandle)
      .set(&Table::pfnOpenIpcHandle, &zeEventPoolOpenIpcHandle)
      .set(&Table::pfnCloseIpcHandle, &zeEventPoolCloseIpcHandle)
      .append(5, &later::event_pool_put_ipc_handle, 6)  // pfnPutIpcHandle
      .append(6, &later::event_pool_get_context, 9)  // pfnGetContextHandle
      .append(7, &later::event_pool_get_flags, 9)   // pfnGetFlags
      .result();
}

ze_result_t zeGetEventProcAddrTable(ze_api_version_t version, ze_event_dditable_t* pDdiTable) {
  using Table = ze_event_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeEventCreate)
      .set(&Table::pfnDestroy, &zeEventDestroy)
      .set(&Table::pfnHostSignal, &zeEventHostSignal)
      .set(&Table::pfnHostSynchronize, &zeEventHostSynchronize)
      .set(&Table::pfnQueryStatus, &zeEventQueryStatus)
      .set(&Table::pfnHostReset, &zeEventHostReset)
      .set(&Table::pfnQueryKernelTimestamp, &zeEventQueryKernelTimestamp)
      .append(7, &later::event_query_kernel_timestamps, 6)  // pfnQueryKernelTimestampsExt
      .append(8, &later::event_get_event_pool, 9)    // pfnGetEventPool
      .append(9, &later::event_get_signal_scope, 9)  // pfnGetSignalScope
      .append(10, &later::event_get_wait_scope, 9)  // pfnGetWaitScope
      .append(11, &later::event_counter_based_create, 15)     // pfnCounterBasedCreate
      .append(16, &later::event_get_counter_based_flags, 17)  // pfnGetCounterBasedFlags
      .result();
}

ze_result_t zeGetEventExpProcAddrTable(ze_api_version_t version,
                                       ze_event_exp_dditable_t* pDdiTable) {
  using Table = ze_event_exp_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnQueryTimestampsExp, &zeEventQueryTimestampsExp, 2)
      .result();
}

ze_result_t zeGetSamplerProcAddrTable(ze_api_version_t version, ze_sampler_dditable_t* pDdiTable) {
  using Table = ze_sampler_dditable_t;
  return DdiTable(version, pDdiTable)
      .set(&Table::pfnCreate, &zeSamplerCreate).set(&Table::pfnDestroy, &zeSamplerDestroy)
      .result();
}
