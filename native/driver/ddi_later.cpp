// Dispatch tables that are newer than the headers this driver has to compile with. (No ze_ddi.h
// here: newer ones declare these getters with types that older ones do not have.)
#include <level_zero/ze_api.h>

#include "driver/ddi_table.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

// 1.9
extern "C" ZE_DLLEXPORT ze_result_t zeGetCommandListExpProcAddrTable(ze_api_version_t version,
                                                                     void* pDdiTable) {
  struct Table {
    void (*first)();
  };
  return DdiTable(version, static_cast<Table*>(pDdiTable))
      .append(1, &later::command_list_immediate_append_command_lists,
               9)  // pfnImmediateAppendCommandListsExp
      .result();
}
