// Unified shared memory. Host, device and shared allocations all lie in host memory; the kind
// decides only what is reported of them.
#include <level_zero/ze_api.h>

#include <bit>
#include <cstring>
#include <optional>

#include "driver/context.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;
using xesim::device::Allocation;
using xesim::device::AllocationKind;

namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::size_t kMostAlignment = std::size_t{1} << 30;

// What the extensions of a description ask for.
struct Wishes {
  bool relaxed_limits = false;
  std::optional<int> imported;          // descriptor of the memory that it is to be
  ze_external_memory_type_flags_t external = 0;  // in which ways it is shared with others

  explicit Wishes(const void* extensions) {
    for_each_extension(extensions, [this](const ExtensionHead& head) { read(head); });
  }

 private:
  void read(const ExtensionHead& head) {
    switch (head.stype) {
      case ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC:
        relaxed_limits =
            (reinterpret_cast<const ze_relaxed_allocation_limits_exp_desc_t&>(head).flags &
             ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE) != 0;
        break;
      case ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC:
        external |= reinterpret_cast<const ze_external_memory_export_desc_t&>(head).flags;
        break;
      case ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD:
        external |= reinterpret_cast<const ze_external_memory_import_fd_t&>(head).flags;
        imported = reinterpret_cast<const ze_external_memory_import_fd_t&>(head).fd;
        break;
      case ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32:
        external |= reinterpret_cast<const ze_external_memory_import_win32_handle_t&>(head).flags;
        break;
      default: break;
    }
  }
};

// `owner`: the device that the allocation is for; null: any.
ze_result_t allocate(ze_context_handle_t handle, ze_device_handle_t owner, AllocationKind kind,
                     const void* extensions, std::size_t size, std::size_t alignment, void** address) {
  if (handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (address == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  Context& context = *object_of<Context>(handle);
  Device& device = owner != nullptr ? *object_of<Device>(owner) : *context.driver().devices().front();
  const Wishes wishes(extensions);
  if ((wishes.external & ~kExternalMemoryTypes) != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
  }
  const std::uint64_t limit =
      wishes.relaxed_limits ? device.topology().memory_bytes : device.maximum_allocation();
  if (size == 0 || size > limit) {
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  }
  // Intel's driver takes alignments that are no power of two: the next one serves all that it takes.
  if (alignment > kMostAlignment) {
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  }
  alignment = std::bit_ceil(alignment);
  return guarded([&] {
    if (wishes.imported) {
      const auto imported = import_descriptor(context, object_of<Device>(owner), kind,
                                              *wishes.imported, size, alignment);
      *address = imported ? reinterpret_cast<void*>(imported->address) : nullptr;
      return imported ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const auto allocation = device.memory().allocate(kind, size, alignment, &context,
                                                      object_of<Device>(owner));
    if (!allocation.has_value()) {
      return kind == AllocationKind::Host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                          : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    *address = reinterpret_cast<void*>(allocation->address);
    return ZE_RESULT_SUCCESS;
  });
}

bool is_usm(AllocationKind kind) {
  return kind == AllocationKind::Host || kind == AllocationKind::Device ||
         kind == AllocationKind::Shared;
}

ze_memory_type_t memory_type(AllocationKind kind) {
  switch (kind) {
    case AllocationKind::Host:
    case AllocationKind::MappedHost:
      return ZE_MEMORY_TYPE_HOST;
    case AllocationKind::Shared:
      return ZE_MEMORY_TYPE_SHARED;
    default:
      return ZE_MEMORY_TYPE_DEVICE;  // a module's globals are device memory as well
  }
}

// The application's allocation around `pointer`; nothing for the driver's own memory and for what
// is not the device's at all.
std::optional<Allocation> find_visible(const Context& context, const void* pointer) {
  auto found = context.memory().find(reinterpret_cast<std::uint64_t>(pointer));
  if (found.has_value() &&
      (found->kind == AllocationKind::Code || found->kind == AllocationKind::Heap)) {
    found.reset();
  }
  return found;
}

ze_result_t release(ze_context_handle_t handle, void* pointer, bool wait_for_commands) {
  if (handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pointer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Context& context = *object_of<Context>(handle);
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto allocation = context.memory().find(address);
  if (!allocation.has_value() || allocation->address != address || !is_usm(allocation->kind)) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  // A kernel that still uses the memory meets a page fault at its next instruction slice.
  for (const auto& device : context.driver().devices()) {
    if (wait_for_commands) {
      static_cast<void>(device->drain());
    }
  }
  const auto held = context.pause_devices();
  return context.memory().release(address) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

}  // namespace

ze_result_t zeMemAllocDevice(ze_context_handle_t hContext,
                             const ze_device_mem_alloc_desc_t* device_desc, size_t size,
                             size_t alignment, ze_device_handle_t hDevice, void** pptr) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (device_desc == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return allocate(hContext, hDevice, AllocationKind::Device, device_desc->pNext, size, alignment, pptr);
}

ze_result_t zeMemAllocHost(ze_context_handle_t hContext, const ze_host_mem_alloc_desc_t* host_desc,
                           size_t size, size_t alignment, void** pptr) {
  if (host_desc == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return allocate(hContext, nullptr, AllocationKind::Host, host_desc->pNext, size, alignment, pptr);
}

ze_result_t zeMemAllocShared(ze_context_handle_t hContext,
                             const ze_device_mem_alloc_desc_t* device_desc,
                             const ze_host_mem_alloc_desc_t* host_desc, size_t size,
                             size_t alignment, ze_device_handle_t hDevice, void** pptr) {
  if (device_desc == nullptr || host_desc == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return allocate(hContext, hDevice, AllocationKind::Shared, device_desc->pNext, size, alignment, pptr);
}

ze_result_t zeMemFree(ze_context_handle_t hContext, void* ptr) {
  return guarded([&] { return release(hContext, ptr, false); });
}

ze_result_t zeMemFreeExt(ze_context_handle_t hContext,
                         const ze_memory_free_ext_desc_t* pMemFreeDesc, void* ptr) {
  if (pMemFreeDesc == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  // Deferring may wait as well: the memory is gone not before its last use.
  return guarded([&] { return release(hContext, ptr, pMemFreeDesc->freePolicy != 0); });
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t hContext, const void* ptr,
                                    ze_memory_allocation_properties_t* properties,
                                    ze_device_handle_t* phDevice) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (ptr == nullptr || properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto allocation = find_visible(*object_of<Context>(hContext), ptr);
    const bool known = allocation.has_value();
    properties->type = known ? memory_type(allocation->kind) : ZE_MEMORY_TYPE_UNKNOWN;
    properties->id = known ? allocation->id : 0;
    properties->pageSize = known ? kPageBytes : 0;
    for_each_extension(properties->pNext, [&](ExtensionHead& head) {
      if (head.stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD) {
        reinterpret_cast<ze_external_memory_export_fd_t&>(head).fd =
            export_descriptor(*object_of<Context>(hContext), ptr);
      }
    });
    if (phDevice != nullptr) {
      const auto* device = known ? static_cast<const Device*>(allocation->device) : nullptr;
      *phDevice = device != nullptr ? device->handle() : nullptr;
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemGetAddressRange(ze_context_handle_t hContext, const void* ptr, void** pBase,
                                 size_t* pSize) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (ptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto allocation = find_visible(*object_of<Context>(hContext), ptr);
    if (!allocation.has_value()) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    if (pBase != nullptr) {
      *pBase = reinterpret_cast<void*>(allocation->address);
    }
    if (pSize != nullptr) {
      *pSize = allocation->size;
    }
    return ZE_RESULT_SUCCESS;
  });
}

namespace {

// Host and device atomics, not those of both at once: no allocation is said to have concurrent ones, but the
// program's own memory is (zeDeviceGetMemoryAccessProperties).
constexpr later::MemoryAtomics kAllAtomics = 1u << 2 | 1u << 4;
constexpr later::MemoryAtomics kSystemAtomics = 1u << 6;
constexpr later::MemoryAtomics kKnownAtomics = (1u << 7) - 1;

// What the attributes of the memory at `pointer` are kept under: the id of an allocation, or an address of the
// program's own memory, which is above all ids. Nothing: none of the device's.
std::optional<std::uint64_t> atomics_key(const Context& context, const void* pointer) {
  if (const auto allocation = find_visible(context, pointer)) {
    return allocation->id;
  }
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  auto* const program = context.memory().program_memory(address);
  constexpr std::uint64_t kAboveIds = std::uint64_t{1} << 63;
  return program != nullptr && program->stretch(address) ? std::optional(address | kAboveIds)
                                                         : std::nullopt;
}

ze_result_t check_atomics(ze_context_handle_t context, ze_device_handle_t device,
                          const void* pointer, std::size_t size) {
  if (context == nullptr || device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pointer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (size == 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  }
  return guarded([&] {
    return atomics_key(*object_of<Context>(context), pointer) ? ZE_RESULT_SUCCESS
                                                              : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

}  // namespace

ze_result_t later::mem_set_atomic_access(ze_context_handle_t context, ze_device_handle_t device,
                                         const void* pointer, std::size_t size,
                                         MemoryAtomics atomics) {
  if (const ze_result_t result = check_atomics(context, device, pointer, size)) {
    return result;
  }
  if ((atomics & ~kKnownAtomics) != 0) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  return guarded([&] {
    Context& owner = *object_of<Context>(context);
    if ((atomics & kSystemAtomics) != 0 && find_visible(owner, pointer)) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    owner.set_atomics(*atomics_key(owner, pointer), atomics);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::mem_get_atomic_access(ze_context_handle_t context, ze_device_handle_t device,
                                         const void* pointer, std::size_t size,
                                         MemoryAtomics* atomics) {
  if (const ze_result_t result = check_atomics(context, device, pointer, size)) {
    return result;
  }
  if (atomics == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    Context& owner = *object_of<Context>(context);
    *atomics = owner.atomics(*atomics_key(owner, pointer)).value_or(kAllAtomics);
    return ZE_RESULT_SUCCESS;
  });
}
