// Memory that other processes open: as an IPC handle, or as a descriptor.
//
// An allocation that is shared gets pages that can be mapped elsewhere (Memory::share). The handle names
// their descriptor. Programs send the descriptor beside it (SCM_RIGHTS), and put the number that they
// get over the first four bytes; those that send the bytes alone get it from the process that made it.
#include <fcntl.h>
#include <level_zero/ze_api.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "device/device_process.hpp"
#include "driver/context.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/physical_memory.hpp"

using namespace xesim::driver;
using xesim::device::Allocation;
using xesim::device::AllocationKind;
using xesim::device::SharedPages;

namespace {

constexpr std::uint32_t kMagic = 0x6370696D;  // "mipc"

// What a handle's bytes are.
struct HandleBytes {
  std::int32_t descriptor = -1;
  std::uint32_t process = 0;
  std::uint32_t magic = 0;
  std::uint32_t kind = 0;     // AllocationKind
  std::uint64_t size = 0;     // bytes of the pages
  std::uint64_t offset = 0;   // of the pointer in them
  std::uint64_t inode = 0;    // of the pages
};
static_assert(sizeof(HandleBytes) <= sizeof(ze_ipc_mem_handle_t));

HandleBytes read(const ze_ipc_mem_handle_t& handle) {
  HandleBytes bytes;
  std::memcpy(&bytes, handle.data, sizeof(bytes));
  return bytes;
}

std::uint64_t inode_of(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

// A descriptor of the pages for this process, or -1.
int open_descriptor(const HandleBytes& bytes) {
  if (inode_of(bytes.descriptor) == bytes.inode) {
    return fcntl(bytes.descriptor, F_DUPFD_CLOEXEC, 0);
  }
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, bytes.process, 0));
  if (process < 0) {
    return -1;
  }
  const auto copy = static_cast<int>(syscall(SYS_pidfd_getfd, process, bytes.descriptor, 0));
  close(process);
  if (copy >= 0 && inode_of(copy) != bytes.inode) {
    close(copy);
    return -1;
  }
  return copy;
}

std::vector<xesim::device::Device::Pause> pause_devices(Context& context) {
  std::vector<xesim::device::Device::Pause> held;
  for (const auto& device : context.driver().devices()) {
    held.push_back(device->gpu().pause());
  }
  return held;
}

bool is_mapping(AllocationKind kind) {
  return kind == AllocationKind::Mapped || kind == AllocationKind::MappedHost;
}

ze_ipc_mem_handle_t handle_of(const xesim::device::Memory::Place& place, AllocationKind kind) {
  const HandleBytes bytes{
      .descriptor = place.pages->descriptor(),
      .process = static_cast<std::uint32_t>(xesim::device::DeviceProcess::program()),
      .magic = kMagic,
      .kind = static_cast<std::uint32_t>(kind),
      .size = place.pages->size(),
      .offset = place.offset,
      .inode = place.pages->identity()};
  ze_ipc_mem_handle_t handle = {};
  std::memcpy(handle.data, &bytes, sizeof(bytes));
  return handle;
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
      const auto held = pause_devices(context);
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
  return read(handle).magic == kMagic ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
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
    const HandleBytes bytes = read(handle);
    const auto kind = static_cast<AllocationKind>(bytes.kind);
    if (bytes.magic != kMagic || !is_shareable(kind) || bytes.offset >= bytes.size) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const int descriptor = open_descriptor(bytes);
    if (descriptor < 0) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const auto pages = SharedPages::adopt(descriptor, bytes.size);
    if (pages == nullptr) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    Context& context = *object_of<Context>(hContext);
    const auto held = pause_devices(context);
    const auto allocation =
        context.memory().import(pages, kind, bytes.size, &context, object_of<Device>(hDevice));
    if (!allocation) {
      return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    *pptr = reinterpret_cast<void*>(allocation->address + bytes.offset);
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
    const auto held = pause_devices(context);
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
  struct stat status {};
  const auto number = static_cast<int>(descriptor);
  if (descriptor > INT32_MAX || fstat(number, &status) != 0 || status.st_size <= 0) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  const HandleBytes bytes{
      .descriptor = number,
      .process = static_cast<std::uint32_t>(xesim::device::DeviceProcess::program()),
      .magic = kMagic,
      .kind = static_cast<std::uint32_t>(AllocationKind::Device),
      .size = static_cast<std::uint64_t>(status.st_size),
      .offset = 0,
      .inode = status.st_ino};
  std::memset(handle->data, 0, sizeof(handle->data));
  std::memcpy(handle->data, &bytes, sizeof(bytes));
  return ZE_RESULT_SUCCESS;
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
  const HandleBytes bytes = read(handle);
  if (bytes.magic != kMagic || bytes.descriptor < 0) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  *descriptor = static_cast<std::uint64_t>(bytes.descriptor);
  return ZE_RESULT_SUCCESS;
}
