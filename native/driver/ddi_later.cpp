// Dispatch tables that are newer than the headers this driver has to compile with. (No ze_ddi.h
// here: newer ones declare these getters with types that older ones do not have.)
#include <level_zero/ze_api.h>

#include "driver/ddi_table.hpp"
#include "driver/later_api.hpp"
#include "driver/mutable_api.hpp"
#include "driver/sysman_api.hpp"

using namespace xesim::driver;

namespace {

struct Table {
  void (*first)();
};

}  // namespace

// 1.6
extern "C" ZE_DLLEXPORT ze_result_t zeGetMemExpProcAddrTable(ze_api_version_t version,
                                                             void* pDdiTable) {
  return DdiTable(version, static_cast<Table*>(pDdiTable))
      .append<&later::mem_get_ipc_handle_from_file_descriptor>(0, 6)  // pfnGetIpcHandleFromFileDescriptorExp
      .append<&later::mem_get_file_descriptor_from_ipc_handle>(1, 6)  // pfnGetFileDescriptorFromIpcHandleExp
      .append<&later::mem_set_atomic_access>(2, 7)  // pfnSetAtomicAccessAttributeExp
      .append<&later::mem_get_atomic_access>(3, 7)  // pfnGetAtomicAccessAttributeExp
      .result();
}

// 1.9
extern "C" ZE_DLLEXPORT ze_result_t zeGetCommandListExpProcAddrTable(ze_api_version_t version,
                                                                     void* pDdiTable) {
  return DdiTable(version, static_cast<Table*>(pDdiTable))
      .append<&later::command_list_create_clone>(0, 9)  // pfnCreateCloneExp
      .append<&later::command_list_immediate_append_command_lists>(1, 9)  // pfnImmediateAppendCommandListsExp
      .append<&later::command_list_get_next_command_id>(2, 9)  // pfnGetNextCommandIdExp
      .append<&later::command_list_update_commands>(3, 9)      // pfnUpdateMutableCommandsExp
      .append<&later::command_list_update_signal_event>(4, 9)  // pfnUpdateMutableCommandSignalEventExp
      .append<&later::command_list_update_wait_events>(5, 9)  // pfnUpdateMutableCommandWaitEventsExp
      .append<&later::command_list_get_next_command_id_with_kernels>(6, 10)  // pfnGetNextCommandIdWithKernelsExp
      .append<&later::command_list_update_kernels>(7, 10)  // pfnUpdateMutableCommandKernelsExp
      .append<&later::command_list_is_mutable>(8, 17)      // pfnIsMutableExp
      .result();
}

// System management, 1.5
extern "C" ZE_DLLEXPORT ze_result_t zesGetGlobalProcAddrTable(ze_api_version_t version,
                                                              void* pDdiTable) {
  return DdiTable(version, static_cast<Table*>(pDdiTable))
      .append<&later::sysman_init>(0, 5)  // pfnInit
      .result();
}

// 1.8
extern "C" ZE_DLLEXPORT ze_result_t zesGetDriverExpProcAddrTable(ze_api_version_t version,
                                                                 void* pDdiTable) {
  return DdiTable(version, static_cast<Table*>(pDdiTable))
      .append<&later::sysman_device_by_uuid>(0, 8)  // pfnGetDeviceByUuidExp
      .result();
}
