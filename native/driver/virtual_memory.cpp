// Reserved addresses and physical memory that is mapped there.
#include <level_zero/ze_api.h>

#include "driver/context.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/physical_memory.hpp"

using namespace xesim::driver;
using xesim::device::MemoryAccess;
using xesim::device::SharedPages;

namespace {

constexpr std::size_t kHostPageBytes = 4096;

// The attribute of the API in the device's terms; nothing for a value that the API does not have.
std::optional<MemoryAccess> access_of(ze_memory_access_attribute_t attribute) {
  switch (attribute) {
    case ZE_MEMORY_ACCESS_ATTRIBUTE_NONE: return MemoryAccess::None;
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE: return MemoryAccess::ReadWrite;
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY: return MemoryAccess::ReadOnly;
    default: return std::nullopt;
  }
}

ze_memory_access_attribute_t attribute_of(MemoryAccess access) {
  switch (access) {
    case MemoryAccess::ReadWrite: return ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
    case MemoryAccess::ReadOnly: return ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY;
    case MemoryAccess::None: break;
  }
  return ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
}

// What every call with a range is asked: whole pages of the host, which all others are made of.
ze_result_t check_range(ze_context_handle_t context, const void* address, std::size_t size) {
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (address == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (size == 0 || size % kHostPageBytes != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  }
  return reinterpret_cast<std::uintptr_t>(address) % kHostPageBytes == 0
             ? ZE_RESULT_SUCCESS
             : ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
}

// Does `change(memory, address)` while no kernel runs; INVALID_ARGUMENT when it fails.
template <class Change>
ze_result_t with_paused_devices(ze_context_handle_t handle, const void* pointer, Change change) {
  return guarded([&] {
    Context& context = *object_of<Context>(handle);
    const auto held = context.pause_devices();
    return change(context.memory(), reinterpret_cast<std::uint64_t>(pointer))
               ? ZE_RESULT_SUCCESS
               : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

}  // namespace

ze_result_t zeVirtualMemReserve(ze_context_handle_t hContext, const void* pStart, size_t size,
                                void** pptr) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (size == 0 || size % kHostPageBytes != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  }
  const auto start = reinterpret_cast<std::uint64_t>(pStart);
  if (start % kHostPageBytes != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  }
  return guarded([&] {
    const auto address = object_of<Context>(hContext)->memory().reserve(size, start);
    if (!address) {
      return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    *pptr = reinterpret_cast<void*>(*address);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeVirtualMemFree(ze_context_handle_t hContext, const void* ptr, size_t size) {
  if (const ze_result_t result = check_range(hContext, ptr, size)) {
    return result;
  }
  return with_paused_devices(hContext, ptr, [&](auto& memory, std::uint64_t address) {
    return memory.unreserve(address, size);
  });
}

ze_result_t zeVirtualMemQueryPageSize(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                      size_t size, size_t* pagesize) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pagesize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  static_cast<void>(size);  // of every size; Intel's driver takes 0 for the smallest page, too
  *pagesize = xesim::device::kPhysicalPageBytes;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zePhysicalMemCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                ze_physical_mem_desc_t* desc,
                                ze_physical_mem_handle_t* phPhysicalMemory) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phPhysicalMemory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (desc->flags > (later::kPhysicalOnDevice | later::kPhysicalOnHost)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  const bool is_host = (desc->flags & later::kPhysicalOnHost) != 0;
  if (!is_host && hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc->size == 0 || desc->size % kHostPageBytes != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  }
  return guarded([&] {
    Device* device = is_host ? nullptr : object_of<Device>(hDevice);
    if (device != nullptr && desc->size > device->topology().memory_bytes) {
      return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    }
    std::optional<int> imported;
    for_each_extension(desc->pNext, [&](const ExtensionHead& head) {
      if (head.stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD) {
        imported = reinterpret_cast<const ze_external_memory_import_fd_t&>(head).fd;
      }
    });
    auto pages = imported ? open_descriptor(*imported, desc->size) : SharedPages::create(desc->size);
    if (pages == nullptr && imported) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    if (pages == nullptr) {
      return is_host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    *phPhysicalMemory = publish<ze_physical_mem_handle_t>(
        std::make_shared<PhysicalMemory>(std::move(pages), device, desc->size));
    return ZE_RESULT_SUCCESS;
  });
}

// What is mapped stays so: mappings hold the pages themselves.
ze_result_t zePhysicalMemDestroy(ze_context_handle_t hContext,
                                 ze_physical_mem_handle_t hPhysicalMemory) {
  if (hContext == nullptr || hPhysicalMemory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<PhysicalMemory>(hPhysicalMemory));
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::physical_mem_get_properties(ze_context_handle_t context,
                                               ze_physical_mem_handle_t memory,
                                               PhysicalMemoryProperties* properties) {
  if (context == nullptr || memory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  properties->id = reinterpret_cast<std::uint64_t>(memory);
  properties->size = object_of<PhysicalMemory>(memory)->size();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemMap(ze_context_handle_t hContext, const void* ptr, size_t size,
                            ze_physical_mem_handle_t hPhysicalMemory, size_t offset,
                            ze_memory_access_attribute_t access) {
  if (hPhysicalMemory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (const ze_result_t result = check_range(hContext, ptr, size)) {
    return result;
  }
  const auto wanted = access_of(access);
  if (!wanted) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if (offset % kHostPageBytes != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  }
  const PhysicalMemory& physical = *object_of<PhysicalMemory>(hPhysicalMemory);
  return with_paused_devices(hContext, ptr, [&](auto& memory, std::uint64_t address) {
    return memory.map(address, {.size = size,
                                .offset = offset,
                                .pages = physical.pages(),
                                .access = *wanted,
                                .is_host = physical.device() == nullptr,
                                .id = 0,
                                .owner = object_of<Context>(hContext),
                                .device = physical.device()});
  });
}

ze_result_t zeVirtualMemUnmap(ze_context_handle_t hContext, const void* ptr, size_t size) {
  if (const ze_result_t result = check_range(hContext, ptr, size)) {
    return result;
  }
  return with_paused_devices(hContext, ptr, [&](auto& memory, std::uint64_t address) {
    return memory.unmap(address, size);
  });
}

ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t hContext, const void* ptr,
                                           size_t size, ze_memory_access_attribute_t access) {
  if (const ze_result_t result = check_range(hContext, ptr, size)) {
    return result;
  }
  const auto wanted = access_of(access);
  if (!wanted) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  return with_paused_devices(hContext, ptr, [&](auto& memory, std::uint64_t address) {
    return memory.set_access(address, size, *wanted);
  });
}

ze_result_t zeVirtualMemGetAccessAttribute(ze_context_handle_t hContext, const void* ptr,
                                           size_t size, ze_memory_access_attribute_t* access,
                                           size_t* outSize) {
  if (hContext != nullptr && (access == nullptr || outSize == nullptr)) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (const ze_result_t result = check_range(hContext, ptr, size)) {
    return result;
  }
  return guarded([&] {
    const auto found =
        object_of<Context>(hContext)->memory().access(reinterpret_cast<std::uint64_t>(ptr));
    if (!found) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    *access = attribute_of(found->first);
    *outSize = found->second;
    return ZE_RESULT_SUCCESS;
  });
}
