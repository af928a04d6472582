// Dispatch tables that are newer than the headers this driver has to compile with. (No ze_ddi.h
// here: newer ones declare these getters with types that older ones do not have.)
#include <level_zero/ze_api.h>

#include "driver/ddi_table.hpp"
#include "driver/later_api.hpp"
#include "driver/mutable_api.hpp"

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
      .append(0, &later::mem_get_ipc_handle_from_file_descriptor,
              6)  // pfnGetIpcHandleFromFileDescriptorExp
      .append(1, &later::mem_get_file_descriptor_from_ipc_handle,
              6)  // pfnGetFileDescriptorFromIpcHandleExp
      .append(2, &later::mem_set_atomic_access, 7)  // pfnSetAtomicAccessAttributeExp
      .append(3, &later::mem_get_atomic_access, 7)  // pfnGetAtomicAccessAttributeExp
      .result();
}

// 1.9
extern "C" ZE_DLLEXPORT ze_result_t zeGetCommandListExpProcAddrTable(ze_api_version_t version,
                                                                     void* pDdiTable) {
  return DdiTable(version, static_cast<Table*>(pDdiTable))
      .append(0, &later::command_list_create_clone, 9)  // pfnCreateCloneExp
      .append(1, &later::command_list_immediate_append_command_lists,
               9)  // pfnImmediateAppendCommandListsExp
      .append(2, &later::command_list_get_next_command_id, 9)  // pfnGetNextCommandIdExp
      .append(3, &later::command_list_update_commands, 9)      // pfnUpdateMutableCommandsExp
      .append(4, &later::command_list_update_signal_event,
              9)  // pfnUpdateMutableCommandSignalEventExp
      .append(5, &later::command_list_update_wait_events,
              9)  // pfnUpdateMutableCommandWaitEventsExp
      .append(6, &later::command_list_get_next_command_id_with_kernels,
              10)  // pfnGetNextCommandIdWithKernelsExp
      .append(7, &later::command_list_update_kernels, 10)  // pfnUpdateMutableCommandKernelsExp
      .append(8, &later::command_list_is_mutable, 17)      // pfnIsMutableExp
      .result();
}
