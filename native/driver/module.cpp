// The module's entry points.
#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>

#include <cstring>

#include "driver/build_log.hpp"
#include "driver/module.hpp"
#include "driver/report.hpp"
#include "driver/spirv_program.hpp"

using namespace xesim::driver;

namespace {

ze_result_t refuse(ze_module_build_log_handle_t* log, const ModuleError& error) {
  if (log == nullptr) {
    report("zeModuleCreate: " + error.message);
  }
  give_log(log, error.message + "\n");
  return error.result;
}

// Copies `bytes` out under the size protocol of the binary queries; a null target only asks.
ze_result_t give_bytes(std::span<const std::byte> bytes, std::size_t* size, std::uint8_t* target) {
  if (target != nullptr) {
    if (*size < bytes.size()) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    std::memcpy(target, bytes.data(), bytes.size());
  }
  *size = bytes.size();
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zeModuleCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                           const ze_module_desc_t* desc, ze_module_handle_t* phModule,
                           ze_module_build_log_handle_t* phBuildLog) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const bool several = has_several_inputs(*desc);
  if (!several && desc->pInputModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (!several && desc->inputSize == 0) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  return guarded([&] {
    const auto context = object_of<Context>(hContext)->shared_from_this();
    Device& device = *object_of<Device>(hDevice);
    std::span<const std::byte> binary =
        std::as_bytes(std::span(desc->pInputModule, desc->inputSize));
    std::vector<std::byte> compiled;  // keeps what `binary` refers to
    if (desc->format == ZE_MODULE_FORMAT_IL_SPIRV) {
      auto result = build_spirv(*desc, device.topology());
      if (const auto* error = std::get_if<ModuleError>(&result)) {
        return refuse(phBuildLog, *error);
      }
      compiled = std::get<std::vector<std::byte>>(std::move(result));
      binary = compiled;
    } else if (desc->format != ZE_MODULE_FORMAT_NATIVE) {
      return refuse(phBuildLog, {ZE_RESULT_ERROR_INVALID_ENUMERATION, "unknown module format"});
    } else if (several) {
      return refuse(phBuildLog, {ZE_RESULT_ERROR_INVALID_ARGUMENT,
                                 "ze_module_program_exp_desc_t is for SPIR-V: link native modules "
                                 "with zeModuleDynamicLink"});
    }
    auto loaded = Module::load(context, device, binary);
    if (auto* error = std::get_if<ModuleError>(&loaded)) {
      if (!compiled.empty() && error->result == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY) {
        *error = {ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
                  "what the compiler made of the SPIR-V: " + error->message};
      }
      return refuse(phBuildLog, *error);
    }
    *phModule = publish<ze_module_handle_t>(std::get<std::shared_ptr<Module>>(std::move(loaded)));
    give_log(phBuildLog, "");
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleDestroy(ze_module_handle_t hModule) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    const auto module = withdraw(object_of<Module>(hModule));
    if (module == nullptr) {
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    }
    module->withdraw_announcement();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t hModule, size_t* pSize,
                                    uint8_t* pModuleNativeBinary) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pSize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return give_bytes(object_of<Module>(hModule)->image().file(), pSize, pModuleNativeBinary);
}

ze_result_t zetModuleGetDebugInfo(zet_module_handle_t hModule,
                                  zet_module_debug_info_format_t /*format: there is only one*/,
                                  size_t* pSize, uint8_t* pDebugInfo) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pSize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return give_bytes(object_of<Module>(hModule)->debug_image(), pSize, pDebugInfo);
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t hModule, uint32_t* pCount,
                                   const char** pNames) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    const auto kernels = object_of<Module>(hModule)->kernels();
    return enumerate(
        pCount, pNames, static_cast<std::uint32_t>(kernels.size()),
        [&](const char*& name, std::uint32_t index) { name = kernels[index]->name.c_str(); });
  });
}

ze_result_t zeModuleGetProperties(ze_module_handle_t hModule,
                                  ze_module_properties_t* pModuleProperties) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pModuleProperties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const bool imports = !object_of<Module>(hModule)->image().imports().empty();
  pModuleProperties->flags = imports ? ZE_MODULE_PROPERTY_FLAG_IMPORTS : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t hModule, const char* pGlobalName,
                                     size_t* pSize, void** pptr) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pGlobalName == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto variable = object_of<Module>(hModule)->find_variable(pGlobalName);
    if (!variable.has_value()) {
      return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
    }
    if (pSize != nullptr) {
      *pSize = variable->size;
    }
    if (pptr != nullptr) {
      *pptr = reinterpret_cast<void*>(variable->address);
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetFunctionPointer(ze_module_handle_t hModule, const char* pFunctionName,
                                       void** pfnFunction) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pFunctionName == nullptr || pfnFunction == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto address = object_of<Module>(hModule)->find_function(pFunctionName);
    if (!address.has_value()) {
      return ZE_RESULT_ERROR_INVALID_FUNCTION_NAME;
    }
    *pfnFunction = reinterpret_cast<void*>(*address);
    return ZE_RESULT_SUCCESS;
  });
}
