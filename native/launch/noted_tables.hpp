// The tables of a driver whose calls are only noted: memory, kernels, command lists.
#pragma once

#include <level_zero/ze_ddi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "launch/host_calls.hpp"
#include "launch/interposer.hpp"

namespace zedbg::launch {

template <typename Traits>
void wrap_member(typename Traits::Function& member) {
  if (member != nullptr) {
    member = Interposer<Traits>::wrap(member);
  }
}

template <typename Traits>
void wrap_at(void* table, std::size_t position) {
  wrap_member<Traits>(static_cast<typename Traits::Function*>(table)[position]);
}

// --- memory ---------------------------------------------------------------------------------------

struct SharedAllocation {
  using Function = ze_pfnMemAllocShared_t;
  static ze_result_t call(Function original, ze_context_handle_t context,
                          const ze_device_mem_alloc_desc_t* on_device,
                          const ze_host_mem_alloc_desc_t* on_host, std::size_t size,
                          std::size_t alignment, ze_device_handle_t device, void** address) {
    const ze_result_t result =
        original(context, on_device, on_host, size, alignment, device, address);
    if (result == ZE_RESULT_SUCCESS) {
      note_made({CallKind::kSharedAllocation, *address, size, alignment, device, context});
    }
    return result;
  }
};

struct DeviceAllocation {
  using Function = ze_pfnMemAllocDevice_t;
  static ze_result_t call(Function original, ze_context_handle_t context,
                          const ze_device_mem_alloc_desc_t* on_device, std::size_t size,
                          std::size_t alignment, ze_device_handle_t device, void** address) {
    const ze_result_t result = original(context, on_device, size, alignment, device, address);
    if (result == ZE_RESULT_SUCCESS) {
      note_made({CallKind::kDeviceAllocation, *address, size, alignment, device, context});
    }
    return result;
  }
};

struct HostAllocation {
  using Function = ze_pfnMemAllocHost_t;
  static ze_result_t call(Function original, ze_context_handle_t context,
                          const ze_host_mem_alloc_desc_t* on_host, std::size_t size,
                          std::size_t alignment, void** address) {
    const ze_result_t result = original(context, on_host, size, alignment, address);
    if (result == ZE_RESULT_SUCCESS) {
      note_made({CallKind::kHostAllocation, *address, size, alignment, nullptr, context});
    }
    return result;
  }
};

// Noted before the memory is gone: right after, another thread may get the same addresses.
struct Free {
  using Function = ze_pfnMemFree_t;
  static ze_result_t call(Function original, ze_context_handle_t context, void* address) {
    note_freed(address, true);
    const ze_result_t result = original(context, address);
    if (result != ZE_RESULT_SUCCESS) {
      note_freed(address, false);
    }
    return result;
  }
};

struct FreeExt {
  using Function = ze_pfnMemFreeExt_t;
  static ze_result_t call(Function original, ze_context_handle_t context,
                          const ze_memory_free_ext_desc_t* description, void* address) {
    note_freed(address, true);
    const ze_result_t result = original(context, description, address);
    if (result != ZE_RESULT_SUCCESS) {
      note_freed(address, false);
    }
    return result;
  }
};

// --- modules and kernels --------------------------------------------------------------------------

inline void note_module(ze_context_handle_t context, ze_device_handle_t device,
                        const ze_module_desc_t* description, ze_module_handle_t module) {
  const std::size_t size = description == nullptr ? 0 : description->inputSize;
  note_made({CallKind::kModule, module, size, 0, device, context});
}

struct ModuleDestruction {
  using Function = ze_pfnModuleDestroy_t;
  static ze_result_t call(Function original, ze_module_handle_t module) {
    note_gone(CallKind::kModule, module, true);
    const ze_result_t result = original(module);
    if (result != ZE_RESULT_SUCCESS) {
      note_gone(CallKind::kModule, module, false);
    }
    return result;
  }
};

struct KernelCreation {
  using Function = ze_pfnKernelCreate_t;

  // Of the driver that has `original`; without it arguments that come with launches are not noted.
  static void set_properties(Function original, ze_pfnKernelGetProperties_t properties) {
    for (Driver& driver : drivers_) {
      Function expected = nullptr;
      if (driver.creation.compare_exchange_strong(expected, original) || expected == original) {
        driver.properties = properties;
        return;
      }
    }
  }

  static ze_result_t call(Function original, ze_module_handle_t module,
                          const ze_kernel_desc_t* description, ze_kernel_handle_t* kernel) {
    const ze_result_t result = original(module, description, kernel);
    if (result == ZE_RESULT_SUCCESS) {
      const std::uint64_t arguments = argument_count(original, *kernel);
      Call call{CallKind::kKernel, *kernel, arguments, 0, nullptr, module};
      call.name = description->pKernelName;
      note_made(call);
    }
    return result;
  }

 private:
  struct Driver {
    std::atomic<Function> creation;
    std::atomic<ze_pfnKernelGetProperties_t> properties;
  };
  static inline std::array<Driver, kOriginals> drivers_{};

  static std::uint64_t argument_count(Function original, ze_kernel_handle_t kernel) {
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    for (const Driver& driver : drivers_) {
      const ze_pfnKernelGetProperties_t query = driver.properties;
      if (driver.creation == original && query != nullptr &&
          query(kernel, &properties) == ZE_RESULT_SUCCESS) {
        return properties.numKernelArgs;
      }
    }
    return 0;
  }
};

struct KernelDestruction {
  using Function = ze_pfnKernelDestroy_t;
  static ze_result_t call(Function original, ze_kernel_handle_t kernel) {
    note_gone(CallKind::kKernel, kernel, true);
    const ze_result_t result = original(kernel);
    if (result != ZE_RESULT_SUCCESS) {
      note_gone(CallKind::kKernel, kernel, false);
    }
    return result;
  }
};

struct ArgumentValue {
  using Function = ze_pfnKernelSetArgumentValue_t;
  static ze_result_t call(Function original, ze_kernel_handle_t kernel, std::uint32_t index,
                          std::size_t size, const void* value) {
    const ze_result_t result = original(kernel, index, size, value);
    if (result == ZE_RESULT_SUCCESS) {
      note_argument(kernel, index, size, value);
    }
    return result;
  }
};

// --- launches -------------------------------------------------------------------------------------

// All that take a list, a kernel and a count of groups, which the host has or the device reads.
template <typename Pointer, bool HostHasGroups, int Which>
struct Launch {
  using Function = Pointer;
  template <typename... Rest>
  static ze_result_t call(Function original, ze_command_list_handle_t list,
                          ze_kernel_handle_t kernel, const ze_group_count_t* groups, Rest... rest) {
    note_launch(kernel, list, HostHasGroups ? groups : nullptr);
    return original(list, kernel, groups, rest...);
  }
};

using PlainLaunch = Launch<ze_pfnCommandListAppendLaunchKernel_t, true, 0>;
using CooperativeLaunch = Launch<ze_pfnCommandListAppendLaunchCooperativeKernel_t, true, 1>;
using IndirectLaunch = Launch<ze_pfnCommandListAppendLaunchKernelIndirect_t, false, 2>;

struct MultipleLaunch {
  using Function = ze_pfnCommandListAppendLaunchMultipleKernelsIndirect_t;
  static ze_result_t call(Function original, ze_command_list_handle_t list, std::uint32_t count,
                          ze_kernel_handle_t* kernels, const std::uint32_t* launched,
                          const ze_group_count_t* groups, ze_event_handle_t signal,
                          std::uint32_t wait_count, ze_event_handle_t* waits) {
    for (std::uint32_t index = 0; kernels != nullptr && index < count; ++index) {
      note_launch(kernels[index], list, nullptr);
    }
    return original(list, count, kernels, launched, groups, signal, wait_count, waits);
  }
};

// Members of version 1.14, which older headers do not have: their positions and types.
constexpr unsigned kLaterMinor = 14;
constexpr std::size_t kWithParameters = 36;
constexpr std::size_t kWithArguments = 37;
using LaunchWithParameters_t = ze_result_t (*)(ze_command_list_handle_t, ze_kernel_handle_t,
                                               const ze_group_count_t*, const void*,
                                               ze_event_handle_t, std::uint32_t,
                                               ze_event_handle_t*);
using ParametersLaunch = Launch<LaunchWithParameters_t, true, 3>;

struct ArgumentsLaunch {
  struct GroupSize {
    std::uint32_t x, y, z;
  };
  using Function = ze_result_t (*)(ze_command_list_handle_t, ze_kernel_handle_t, ze_group_count_t,
                                   GroupSize, void**, const void*, ze_event_handle_t,
                                   std::uint32_t, ze_event_handle_t*);
  static ze_result_t call(Function original, ze_command_list_handle_t list,
                          ze_kernel_handle_t kernel, ze_group_count_t groups, GroupSize group_size,
                          void** values, const void* extensions, ze_event_handle_t signal,
                          std::uint32_t wait_count, ze_event_handle_t* waits) {
    note_arguments(kernel, values);
    note_launch(kernel, list, &groups);
    return original(list, kernel, groups, group_size, values, extensions, signal, wait_count,
                    waits);
  }
};

// --- changes of launches in lists -----------------------------------------------------------------

// Members of a table that older headers do not have, or have less of: version, position.
constexpr unsigned kUpdateCommandsMinor = 9;
constexpr std::size_t kUpdateCommands = 3;
constexpr unsigned kUpdateKernelsMinor = 10;
constexpr std::size_t kUpdateKernels = 7;

struct CommandsUpdate {
  using Function = ze_result_t (*)(ze_command_list_handle_t, const void*);
  static ze_result_t call(Function original, ze_command_list_handle_t list, const void* changes) {
    note_change();
    return original(list, changes);
  }
};

struct KernelsUpdate {
  using Function = ze_result_t (*)(ze_command_list_handle_t, std::uint32_t, std::uint64_t*,
                                   ze_kernel_handle_t*);
  static ze_result_t call(Function original, ze_command_list_handle_t list, std::uint32_t count,
                          std::uint64_t* commands, ze_kernel_handle_t* kernels) {
    note_change();
    return original(list, count, commands, kernels);
  }
};

// The driver gives the same calls by their names.
struct ExtensionAddress {
  using Function = ze_pfnDriverGetExtensionFunctionAddress_t;
  static ze_result_t call(Function original, ze_driver_handle_t driver, const char* name,
                          void** address) {
    const ze_result_t result = original(driver, name, address);
    if (result == ZE_RESULT_SUCCESS && name != nullptr && address != nullptr) {
      if (std::strcmp(name, "zeCommandListUpdateMutableCommandsExp") == 0) {
        wrap_at<CommandsUpdate>(address, 0);
      } else if (std::strcmp(name, "zeCommandListUpdateMutableCommandKernelsExp") == 0) {
        wrap_at<KernelsUpdate>(address, 0);
      }
    }
    return result;
  }
};

// --- tables ---------------------------------------------------------------------------------------

inline void wrap_destruction(ze_module_dditable_t& table) {
  wrap_member<ModuleDestruction>(table.pfnDestroy);
}

struct KernelTable {
  using Function = ze_pfnGetKernelProcAddrTable_t;
  static ze_result_t call(Function original, ze_api_version_t version, ze_kernel_dditable_t* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr) {
      KernelCreation::set_properties(table->pfnCreate, table->pfnGetProperties);
      wrap_member<KernelCreation>(table->pfnCreate);
      wrap_member<KernelDestruction>(table->pfnDestroy);
      wrap_member<ArgumentValue>(table->pfnSetArgumentValue);
    }
    return result;
  }
};

struct MemoryTable {
  using Function = ze_pfnGetMemProcAddrTable_t;
  static ze_result_t call(Function original, ze_api_version_t version, ze_mem_dditable_t* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr) {
      wrap_member<SharedAllocation>(table->pfnAllocShared);
      wrap_member<DeviceAllocation>(table->pfnAllocDevice);
      wrap_member<HostAllocation>(table->pfnAllocHost);
      wrap_member<Free>(table->pfnFree);
      if (version >= ZE_API_VERSION_1_3) {
        wrap_member<FreeExt>(table->pfnFreeExt);
      }
    }
    return result;
  }
};

struct CommandListTable {
  using Function = ze_pfnGetCommandListProcAddrTable_t;
  static ze_result_t call(Function original, ze_api_version_t version,
                          ze_command_list_dditable_t* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr) {
      wrap_member<PlainLaunch>(table->pfnAppendLaunchKernel);
      wrap_member<CooperativeLaunch>(table->pfnAppendLaunchCooperativeKernel);
      wrap_member<IndirectLaunch>(table->pfnAppendLaunchKernelIndirect);
      wrap_member<MultipleLaunch>(table->pfnAppendLaunchMultipleKernelsIndirect);
      if (ZE_MINOR_VERSION(version) >= kLaterMinor) {
        wrap_at<ParametersLaunch>(table, kWithParameters);
        wrap_at<ArgumentsLaunch>(table, kWithArguments);
      }
    }
    return result;
  }
};

struct CommandListExpTable {
  using Function = ze_result_t (*)(ze_api_version_t, void*);
  static ze_result_t call(Function original, ze_api_version_t version, void* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr) {
      if (ZE_MINOR_VERSION(version) >= kUpdateCommandsMinor) {
        wrap_at<CommandsUpdate>(table, kUpdateCommands);
      }
      if (ZE_MINOR_VERSION(version) >= kUpdateKernelsMinor) {
        wrap_at<KernelsUpdate>(table, kUpdateKernels);
      }
    }
    return result;
  }
};

struct DriverTable {
  using Function = ze_pfnGetDriverProcAddrTable_t;
  static ze_result_t call(Function original, ze_api_version_t version, ze_driver_dditable_t* table) {
    const ze_result_t result = original(version, table);
    if (result == ZE_RESULT_SUCCESS && table != nullptr && version >= ZE_API_VERSION_1_1) {
      wrap_member<ExtensionAddress>(table->pfnGetExtensionFunctionAddress);
    }
    return result;
  }
};

}  // namespace zedbg::launch
