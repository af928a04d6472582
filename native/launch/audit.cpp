// The dynamic linker's auditor (rtld-audit(7)): sees every look-up of a symbol, by dlsym too, and
// puts wrappers before those calls of a Level Zero driver from which on it can be debugged.
//
// Every way into Level Zero ends in the loader's look-up of a driver's tables by dlsym: programs
// that link the loader, load it, or contain it, and the children of shells. The public
// zeContextCreate is watched as well, for loaders that take a driver's tables from its handles.
#include <level_zero/ze_ddi.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "launch/constants.hpp"
#include "launch/hold.hpp"
#include "launch/interposer.hpp"
#include "launch/noted_tables.hpp"

namespace zedbg::launch {
namespace {

// The process is held after its first context was made: the driver can be attached to from then on.
struct AfterContext {
  using Function = ze_pfnContextCreate_t;
  static ze_result_t call(Function original, ze_driver_handle_t driver,
                          const ze_context_desc_t* description, ze_context_handle_t* context) {
    const ze_result_t result = original(driver, description, context);
    if (result == ZE_RESULT_SUCCESS) {
      hold_once();
    }
    return result;
  }
};

struct AfterContextEx {
  using Function = ze_pfnContextCreateEx_t;
  static ze_result_t call(Function original, ze_driver_handle_t driver,
                          const ze_context_desc_t* description, std::uint32_t device_count,
                          ze_device_handle_t* devices, ze_context_handle_t* context) {
    const ze_result_t result = original(driver, description, device_count, devices, context);
    if (result == ZE_RESULT_SUCCESS) {
      hold_once();
    }
    return result;
  }
};

// For drivers with a context that nobody creates: before the first module. And what values the
// program gives a module's constants is known nowhere else.
struct BeforeModule {
  using Function = ze_pfnModuleCreate_t;
  static ze_result_t call(Function original, ze_context_handle_t context, ze_device_handle_t device,
                          const ze_module_desc_t* description, ze_module_handle_t* module,
                          ze_module_build_log_handle_t* log) {
    hold_once();
    tell_constants(description);
    const ze_result_t result = original(context, device, description, module, log);
    if (result == ZE_RESULT_SUCCESS) {
      note_module(context, device, description, *module);
    }
    return result;
  }
};

struct ContextTable {
  using Function = ze_pfnGetContextProcAddrTable_t;
  static ze_result_t call(Function original, ze_api_version_t version,
                          ze_context_dditable_t* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr) {
      if (table->pfnCreate != nullptr) {
        table->pfnCreate = Interposer<AfterContext>::wrap(table->pfnCreate);
      }
      // An older caller's table ends before this member.
      if (version >= ZE_API_VERSION_1_1 && table->pfnCreateEx != nullptr) {
        table->pfnCreateEx = Interposer<AfterContextEx>::wrap(table->pfnCreateEx);
      }
    }
    return result;
  }
};

struct ModuleTable {
  using Function = ze_pfnGetModuleProcAddrTable_t;
  static ze_result_t call(Function original, ze_api_version_t version,
                          ze_module_dditable_t* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr && table->pfnCreate != nullptr) {
      table->pfnCreate = Interposer<BeforeModule>::wrap(table->pfnCreate);
      wrap_destruction(*table);
    }
    return result;
  }
};

template <typename Traits>
std::uintptr_t wrap_address(std::uintptr_t address) {
  using Function = typename Traits::Function;
  return reinterpret_cast<std::uintptr_t>(
      Interposer<Traits>::wrap(reinterpret_cast<Function>(address)));
}

struct Watched {
  const char* name;
  std::uintptr_t (*wrap)(std::uintptr_t);
};

constexpr Watched kWatched[] = {
    {"zeGetContextProcAddrTable", wrap_address<ContextTable>},
    {"zeGetDriverProcAddrTable", wrap_address<DriverTable>},
    {"zeGetModuleProcAddrTable", wrap_address<ModuleTable>},
    {"zeGetKernelProcAddrTable", wrap_address<KernelTable>},
    {"zeGetMemProcAddrTable", wrap_address<MemoryTable>},
    {"zeGetCommandListProcAddrTable", wrap_address<CommandListTable>},
    {"zeGetCommandListExpProcAddrTable", wrap_address<CommandListExpTable>},
    {"zeContextCreate", wrap_address<AfterContext>},
    {"zeContextCreateEx", wrap_address<AfterContextEx>},
};

}  // namespace
}  // namespace zedbg::launch

extern "C" {

__attribute__((visibility("default"))) unsigned int la_version(unsigned int offered) {
  return offered < LAV_CURRENT ? offered : LAV_CURRENT;
}

__attribute__((visibility("default"))) unsigned int la_objopen(link_map*, Lmid_t, uintptr_t*) {
  return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

__attribute__((visibility("default"))) uintptr_t la_symbind64(Elf64_Sym* symbol, unsigned int,
                                                              uintptr_t*, uintptr_t*,
                                                              unsigned int*, const char* name) {
  if (name[0] == 'z' && name[1] == 'e') {
    for (const zedbg::launch::Watched& watched : zedbg::launch::kWatched) {
      if (std::strcmp(name, watched.name) == 0) {
        return watched.wrap(symbol->st_value);
      }
    }
  }
  return symbol->st_value;
}

}  // extern "C"
