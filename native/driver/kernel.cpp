// The kernel's entry points.
#include "driver/kernel.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "driver/image.hpp"
#include "driver/later_api.hpp"
#include "driver/report.hpp"
#include "driver/sampler.hpp"

namespace xesim::driver {

ze_result_t refuse(const device::PayloadError& error) {
  report(error.message);
  using Kind = device::PayloadError::Kind;
  switch (error.kind) {
    case Kind::ArgumentIndex:
      return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    case Kind::ArgumentSize:
      return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
    case Kind::ArgumentValue:
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    case Kind::GroupSize:
      return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
    case Kind::OutOfMemory:
      return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    case Kind::Unsupported:
      break;
  }
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

namespace {

// The largest divisor of `size` that is at most `limit`: groups that tile without a remainder.
std::uint32_t largest_divisor(std::uint32_t size, std::uint32_t limit) {
  for (std::uint32_t divisor = std::min(size, limit); divisor > 1; --divisor) {
    if (size % divisor == 0) {
      return divisor;
    }
  }
  return 1;
}

// The image or sampler whose handle an argument's value is; `what` names it in the report.
template <class T, class Handle>
std::variant<const T*, device::PayloadError> object_argument(const char* what, std::uint32_t index,
                                                             std::size_t size, const void* value) {
  using Kind = device::PayloadError::Kind;
  const std::string where = "argument " + std::to_string(index);
  if (size != sizeof(void*)) {
    return device::PayloadError{Kind::ArgumentSize, where + " is a handle of 8 bytes, not " +
                                                        std::to_string(size)};
  }
  Handle handle = nullptr;
  if (value != nullptr) {
    std::memcpy(&handle, value, sizeof(handle));
  }
  if (!is_live(handle)) {
    return device::PayloadError{Kind::ArgumentValue, where + " is " + what +
                                                         ", and its value is not the handle of one"};
  }
  return object_of<T>(handle);
}

// Bytes of argument `index`; 0 of one that the kernel does not use.
std::size_t argument_size(const zebin::Kernel& kernel, std::uint32_t index) {
  std::size_t size = 0;
  for (const zebin::PayloadArgument& argument : kernel.arguments) {
    if (argument.index != static_cast<std::int32_t>(index)) {
      continue;
    }
    const bool is_value = argument.type == zebin::ArgumentType::ByValue;
    size = std::max(size, is_value ? static_cast<std::size_t>(argument.source_offset) +
                                         static_cast<std::size_t>(argument.size)
                                   : sizeof(void*));
  }
  return size;
}

bool is_local(const zebin::Kernel& kernel, std::uint32_t index) {
  return std::ranges::any_of(kernel.arguments, [&](const zebin::PayloadArgument& argument) {
    return argument.index == static_cast<std::int32_t>(index) && argument.is_local_pointer();
  });
}

// Fills `id` with a number that stands for `text`: a part of a universally unique id.
void hash_into(std::uint8_t* id, std::size_t size, std::string_view text) {
  std::uint64_t hash = std::hash<std::string_view>{}(text);  // a module has megabytes
  for (std::size_t index = 0; index < size; index += sizeof(std::uint64_t)) {
    hash = (hash + index + 1) * 0x9E37'79B9'7F4A'7C15u;
    std::memcpy(id + index, &hash, std::min(sizeof(hash), size - index));
  }
}

}  // namespace

std::optional<device::PayloadError> set_argument(device::PayloadBuilder& builder,
                                                 std::uint32_t index, std::size_t size,
                                                 const void* value) {
  if (builder.takes_image(index)) {
    const auto image = object_argument<Image, ze_image_handle_t>("an image", index, size, value);
    const auto* error = std::get_if<device::PayloadError>(&image);
    return error != nullptr
               ? *error
               : builder.set_image(index, std::get<const Image*>(image)->description());
  }
  if (builder.takes_sampler(index)) {
    const auto sampler = object_argument<Sampler, ze_sampler_handle_t>("a sampler", index, size, value);
    const auto* error = std::get_if<device::PayloadError>(&sampler);
    return error != nullptr
               ? *error
               : builder.set_sampler(index, std::get<const Sampler*>(sampler)->description());
  }
  return builder.set_argument(index, size, value);
}

ze_result_t set_arguments(Kernel& kernel, void** values) {
  const zebin::Kernel& description = kernel.description();
  if (values == nullptr && description.argument_count != 0) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  for (std::uint32_t index = 0; index < description.argument_count; ++index) {
    std::size_t size = argument_size(description, index);
    const void* value = values[index];
    if (is_local(description, index)) {
      if (value == nullptr) {
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
      }
      std::memcpy(&size, value, sizeof(size));
      value = nullptr;
    }
    if (size == 0) {
      continue;
    }
    if (const auto error = set_argument(kernel.builder(), index, size, value)) {
      return refuse(*error);
    }
  }
  return ZE_RESULT_SUCCESS;
}

}  // namespace xesim::driver

using namespace xesim::driver;

ze_result_t zeKernelCreate(ze_module_handle_t hModule, const ze_kernel_desc_t* desc,
                           ze_kernel_handle_t* phKernel) {
  if (hModule == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || desc->pKernelName == nullptr || phKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    Module& module = *object_of<Module>(hModule);
    if (!module.linked()) {
      report("zeKernelCreate: the module imports `" + module.image().imports().front() +
             "`: link it with the module that defines it first (zeModuleDynamicLink)");
      return ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
    }
    const xesim::zebin::Kernel* description = module.find_kernel(desc->pKernelName);
    if (description == nullptr) {
      return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
    }
    *phKernel = publish<ze_kernel_handle_t>(
        std::make_shared<Kernel>(module.shared_from_this(), *description));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t hKernel) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    withdraw(object_of<Kernel>(hKernel));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t hKernel, uint32_t groupSizeX,
                                 uint32_t groupSizeY, uint32_t groupSizeZ) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    Kernel& kernel = *object_of<Kernel>(hKernel);
    const std::array<std::uint32_t, 3> size{groupSizeX, groupSizeY, groupSizeZ};
    if (const auto error = kernel.builder().set_group_size(size)) {
      return refuse(*error);
    }
    kernel.set_group_size(size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t hKernel, uint32_t globalSizeX,
                                     uint32_t globalSizeY, uint32_t globalSizeZ,
                                     uint32_t* groupSizeX, uint32_t* groupSizeY,
                                     uint32_t* groupSizeZ) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (groupSizeX == nullptr || groupSizeY == nullptr || groupSizeZ == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (globalSizeX == 0 || globalSizeY == 0 || globalSizeZ == 0) {
    return ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION;
  }
  const Kernel& kernel = *object_of<Kernel>(hKernel);
  const auto& required = kernel.description().required_group_size;
  if (required[0] != 0) {
    *groupSizeX = required[0];
    *groupSizeY = required[1];
    *groupSizeZ = required[2];
    return ZE_RESULT_SUCCESS;
  }
  const std::uint32_t limit = kernel.maximum_group_size();
  *groupSizeX = largest_divisor(globalSizeX, limit);
  *groupSizeY = largest_divisor(globalSizeY, limit / *groupSizeX);
  *groupSizeZ = largest_divisor(globalSizeZ, limit / *groupSizeX / *groupSizeY);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t hKernel,
                                                    uint32_t* totalGroupCount) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (totalGroupCount == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *totalGroupCount = object_of<Kernel>(hKernel)->resident_groups();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize,
                                     const void* pArgValue) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    Kernel& kernel = *object_of<Kernel>(hKernel);
    const auto error = set_argument(kernel.builder(), argIndex, argSize, pArgValue);
    return error.has_value() ? refuse(*error) : ZE_RESULT_SUCCESS;
  });
}

// The device may access every allocation anyway: the flags are kept, to be reported.
ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t hKernel,
                                      ze_kernel_indirect_access_flags_t flags) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  object_of<Kernel>(hKernel)->set_indirect_access(flags);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t hKernel,
                                      ze_kernel_indirect_access_flags_t* pFlags) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pFlags == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *pFlags = object_of<Kernel>(hKernel)->indirect_access();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t hKernel, uint32_t* pSize,
                                        char** pString) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pSize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const std::string& attributes = object_of<Kernel>(hKernel)->description().source_attributes;
  if (pString != nullptr && *pString != nullptr && *pSize > 0) {
    const std::size_t copied = std::min<std::size_t>(*pSize - 1, attributes.size());
    std::memcpy(*pString, attributes.data(), copied);
    (*pString)[copied] = '\0';
  }
  *pSize = static_cast<std::uint32_t>(attributes.size() + 1);
  return ZE_RESULT_SUCCESS;
}

// There is no cache to configure.
ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t hKernel, ze_cache_config_flags_t /*flags*/) {
  return hKernel == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t hKernel, ze_kernel_properties_t* properties) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Kernel& kernel = *object_of<Kernel>(hKernel);
  const xesim::zebin::Kernel& description = kernel.description();
  properties->numKernelArgs = description.argument_count;
  properties->requiredGroupSizeX = description.required_group_size[0];
  properties->requiredGroupSizeY = description.required_group_size[1];
  properties->requiredGroupSizeZ = description.required_group_size[2];
  properties->requiredNumSubGroups = 0;
  properties->requiredSubgroupSize = 0;
  properties->maxSubgroupSize = description.simd_size;
  properties->maxNumSubgroups = kernel.maximum_group_size() / description.simd_size;
  properties->localMemSize = description.slm_size;
  properties->privateMemSize = description.private_size;
  properties->spillMemSize = description.spill_size;
  const auto file = kernel.module()->image().file();
  hash_into(properties->uuid.kid, sizeof(properties->uuid.kid), description.name);
  hash_into(properties->uuid.mid, sizeof(properties->uuid.mid),
            {reinterpret_cast<const char*>(file.data()), file.size()});
  for_each_extension(properties->pNext, [&](ExtensionHead& head) {
    if (head.stype == ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES) {
      reinterpret_cast<ze_kernel_preferred_group_size_properties_t&>(head).preferredMultiple =
          description.simd_size;
    } else if (head.stype == later::kKernelMaxGroupSize) {
      reinterpret_cast<later::KernelMaxGroupSize&>(head).max_group_size =
          kernel.maximum_group_size();
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t hKernel, size_t* pSize, char* pName) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pSize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const std::string& name = object_of<Kernel>(hKernel)->description().name;
  const std::size_t needed = name.size() + 1;  // with the terminating zero
  if (pName != nullptr && *pSize > 0) {
    const std::size_t copied = std::min(*pSize, needed) - 1;
    std::memcpy(pName, name.data(), copied);
    pName[copied] = '\0';
  }
  *pSize = needed;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t hKernel, uint32_t offsetX,
                                       uint32_t offsetY, uint32_t offsetZ) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  object_of<Kernel>(hKernel)->builder().set_global_offset({offsetX, offsetY, offsetZ});
  return ZE_RESULT_SUCCESS;
}

// Every thread that can run has its turn, whatever the hint says.
ze_result_t zeKernelSchedulingHintExp(ze_kernel_handle_t hKernel,
                                      ze_scheduling_hint_exp_desc_t* pHint) {
  if (hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return pHint == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER : ZE_RESULT_SUCCESS;
}

// The kernel's instructions, as the module's file has them.
ze_result_t later::kernel_get_binary(ze_kernel_handle_t kernel, std::size_t* size,
                                     std::uint8_t* binary) {
  if (kernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (size == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Kernel& object = *object_of<Kernel>(kernel);
  const auto code = object.module()->image().section_bytes(object.description().text_section);
  if (binary != nullptr) {
    if (*size < code.size()) {
      return ZE_RESULT_ERROR_INVALID_SIZE;
    }
    std::memcpy(binary, code.data(), code.size());
  }
  *size = code.size();
  return ZE_RESULT_SUCCESS;
}

// The memory that the kernel's arguments point to; that of the driver itself is not listed.
ze_result_t later::kernel_get_allocation_properties(ze_kernel_handle_t kernel,
                                                    std::uint32_t* count,
                                                    KernelAllocation* allocations) {
  if (kernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    const Kernel& object = *object_of<Kernel>(kernel);
    std::vector<KernelAllocation> found;
    for (const auto& [index, address] : object.builder().pointers()) {
      const auto allocation = object.module()->device().memory().find(address);
      if (!allocation) {
        continue;
      }
      const ze_memory_type_t type = allocation->kind == xesim::device::AllocationKind::Host
                                        ? ZE_MEMORY_TYPE_HOST
                                    : allocation->kind == xesim::device::AllocationKind::Shared
                                        ? ZE_MEMORY_TYPE_SHARED
                                        : ZE_MEMORY_TYPE_DEVICE;
      found.push_back({{}, nullptr, allocation->address, allocation->size, type, index});
    }
    return enumerate(count, allocations, static_cast<std::uint32_t>(found.size()),
                     [&](KernelAllocation& target, std::uint32_t index) {
                       target.base = found[index].base;
                       target.size = found[index].size;
                       target.type = found[index].type;
                       target.argument = found[index].argument;
                     });
  });
}
