// Memory that other processes open: as an IPC handle, or as a descriptor.
#include <fcntl.h>
#include <level_zero/ze_api.h>

#include "driver/context.hpp"
#include "driver/handle.hpp"
#include "driver/ipc_handle.hpp"
#include "driver/later_api.hpp"
#include "driver/physical_memory.hpp"

using namespace xesim::driver;
using xesim::device::Allocation;
using xesim::device::AllocationKind;
using xesim::device::SharedPages;

namespace {

bool is_mapping(AllocationKind kind) {
  return kind == AllocationKind::Mapped || kind == AllocationKind::MappedHost;
}

ze_ipc_mem_handle_t handle_of(const xesim::device::Memory::Place& place, AllocationKind kind) {
  return IpcHandle::of(*place.pages, IpcKind::Memory, static_cast<std::uint32_t>(kind),
                       place.offset)
      .bytes<ze_ipc_mem_handle_t>();
}

bool is_shareable(AllocationKind kind) {
  return kind == AllocationKind::Device || kind == AllocationKind::Host ||
         kind == AllocationKind::Shared;
}

}  // namespace

ze_result_t zeMemGetIpcHandle(ze_context_handle_t hContext, const void* ptr,
                              ze_ipc_mem_handle_t* pIpcHandle) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (ptr == nullptr || pIpcHandle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    Context& context = *object_of<Context>(hContext);
    const auto address = reinterpret_cast<std::uint64_t>(ptr);
    if (PhysicalMemory* physical = PhysicalMemory::find(ptr)) {
      const auto kind =
          physical->device() == nullptr ? AllocationKind::Host : AllocationKind::Device;
      *pIpcHandle = handle_of({physical->pages(), 0}, kind);
      return ZE_RESULT_SUCCESS;
    }
    const auto allocation = context.memory().find(address);
    if (!allocation || !(is_shareable(allocation->kind) || is_mapping(allocation->kind))) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    auto place = context.memory().shared(address);
    if (place.pages == nullptr) {
      const auto held = context.pause_devices();
      place = {context.memory().share(allocation->address), address - allocation->address};
    }
    if (place.pages == nullptr) {
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    const auto kind = !is_mapping(allocation->kind)                   ? allocation->kind
                      : allocation->kind == AllocationKind::MappedHost ? AllocationKind::Host
                                                                       : AllocationKind::Device;
    *pIpcHandle = handle_of(place, kind);
    return ZE_RESULT_SUCCESS;
  });
}

int xesim::driver::export_descriptor(Context& context, const void* pointer) {
  ze_ipc_mem_handle_t handle = {};
  if (zeMemGetIpcHandle(context.handle(), pointer, &handle) != ZE_RESULT_SUCCESS) {
    return -1;
  }
  return IpcHandle::read(handle, IpcKind::Memory)->descriptor;
}

std::shared_ptr<const SharedPages> xesim::driver::open_descriptor(int descriptor,
                                                                  std::uint64_t size) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 ? SharedPages::adopt(copy, size) : nullptr;
}

std::optional<Allocation> xesim::driver::import_descriptor(Context& context, Device* device,
                                                           AllocationKind kind, int descriptor,
                                                           std::uint64_t size,
                                                           std::uint64_t alignment) {
  const auto pages = open_descriptor(descriptor, size);
  if (pages == nullptr) {
    return std::nullopt;
  }
  const auto held = context.pause_devices();
  return context.memory().import(pages, kind, size, alignment, &context, device);
}

ze_result_t later::mem_get_ipc_handle_with_properties(ze_context_handle_t context,
                                                      const void* pointer,
                                                      void* /*extensions: any kind of handle serves*/,
                                                      ze_ipc_mem_handle_t* handle) {
  return zeMemGetIpcHandle(context, pointer, handle);
}

// The descriptor belongs to the allocation, and is closed with it.
ze_result_t later::mem_put_ipc_handle(ze_context_handle_t context, ze_ipc_mem_handle_t handle) {
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return IpcHandle::read(handle, IpcKind::Memory) ? ZE_RESULT_SUCCESS
                                                  : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeMemOpenIpcHandle(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                               ze_ipc_mem_handle_t handle, ze_ipc_memory_flags_t /*flags*/,
                               void** pptr) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto read = IpcHandle::read(handle, IpcKind::Memory);
    const auto kind = static_cast<AllocationKind>(read ? read->detail : 0);
    const auto pages = read && is_shareable(kind) ? read->open() : nullptr;
    if (pages == nullptr) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    Context& context = *object_of<Context>(hContext);
    const auto held = context.pause_devices();
    const auto allocation =
        context.memory().import(pages, kind, read->size, 0, &context, object_of<Device>(hDevice));
    if (!allocation) {
      return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    *pptr = reinterpret_cast<void*>(allocation->address + read->offset);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemCloseIpcHandle(ze_context_handle_t hContext, const void* ptr) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (ptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    Context& context = *object_of<Context>(hContext);
    const auto allocation = context.memory().find(reinterpret_cast<std::uint64_t>(ptr));
    if (!allocation || !is_shareable(allocation->kind)) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const auto held = context.pause_devices();
    return context.memory().release(allocation->address) ? ZE_RESULT_SUCCESS
                                                         : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

// A handle with the descriptor's number, which the process that gets it puts in anyway.
ze_result_t later::mem_get_ipc_handle_from_file_descriptor(ze_context_handle_t context,
                                                           std::uint64_t descriptor,
                                                           ze_ipc_mem_handle_t* handle) {
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto pages = descriptor > INT32_MAX
                           ? nullptr
                           : open_descriptor(static_cast<int>(descriptor), 1);
    if (pages == nullptr) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    IpcHandle made = IpcHandle::of(*pages, IpcKind::Memory,
                                   static_cast<std::uint32_t>(AllocationKind::Device), 0);
    made.descriptor = static_cast<std::int32_t>(descriptor);
    *handle = made.bytes<ze_ipc_mem_handle_t>();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::mem_get_file_descriptor_from_ipc_handle(ze_context_handle_t context,
                                                           ze_ipc_mem_handle_t handle,
                                                           std::uint64_t* descriptor) {
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (descriptor == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const auto read = IpcHandle::read(handle, IpcKind::Memory);
  if (!read || read->descriptor < 0) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  *descriptor = static_cast<std::uint64_t>(read->descriptor);
  return ZE_RESULT_SUCCESS;
}
