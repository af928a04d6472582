// The dynamic linker's auditor (rtld-audit(7)): sees every look-up of a symbol, by dlsym too, and
// puts wrappers before those calls of a Level Zero driver from which on it can be debugged.
//
// Every way into Level Zero ends in the loader's look-up of a driver's tables by dlsym: programs
// that link the loader, load it, or contain it, and the children of shells. The public
// zeContextCreate is watched as well, for loaders that take a driver's tables from its handles.
#include <level_zero/ze_ddi.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "launch/constants.hpp"
#include "launch/hold.hpp"

namespace zedbg::launch {
namespace {

// How many different libraries may define one of the symbols: drivers, layers, loaders.
constexpr std::size_t kOriginals = 16;

// Replaces functions of one type that several libraries define: each original has a wrapper of its
// own, which knows it by its index. `Traits` gives the function type and what to do around it.
template <typename Traits>
class Interposer {
 public:
  using Function = typename Traits::Function;

  // The wrapper of `original`; `original` itself when there is no room for one more.
  static Function wrap(Function original) {
    for (std::size_t index = 0; index < kOriginals; ++index) {
      Function expected = nullptr;
      if (originals_[index].compare_exchange_strong(expected, original) || expected == original) {
        return wrappers_[index];
      }
      if (original == wrappers_[index]) {
        return original;
      }
    }
    return original;
  }

 private:
  template <std::size_t Index, typename Result, typename... Arguments>
  static Result wrapper(Arguments... arguments) {
    return Traits::call(originals_[Index].load(), arguments...);
  }

  template <std::size_t Index, typename Result, typename... Arguments>
  static constexpr Function select(Result (*)(Arguments...)) {
    return &wrapper<Index, Result, Arguments...>;
  }

  template <std::size_t... Indices>
  static constexpr std::array<Function, kOriginals> all(std::index_sequence<Indices...>) {
    return {select<Indices>(Function{})...};
  }

  static inline std::array<std::atomic<Function>, kOriginals> originals_{};
  static constexpr std::array<Function, kOriginals> wrappers_ =
      all(std::make_index_sequence<kOriginals>{});
};

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
    return original(context, device, description, module, log);
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
    {"zeGetModuleProcAddrTable", wrap_address<ModuleTable>},
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
