// System management, as far as clients need it: which devices there are, where they sit on the bus,
// and how much of their memory is free. A handle of it is that of the core API.
#include <level_zero/zes_api.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "driver/device.hpp"
#include "driver/driver.hpp"
#include "driver/handle.hpp"
#include "driver/monitor.hpp"
#include "driver/sysman_api.hpp"

using namespace xesim::driver;

namespace {

// Bytes of the memory of `device` that are taken. What is no tile's own is on all of them in equal parts.
std::uint64_t used_memory(Device& device) {
  const Device* root = device.root();
  const std::uint64_t tiles = root != nullptr ? root->tiles().size() : 1;
  std::uint64_t own = 0;
  std::uint64_t common = 0;
  device.memory().read_all([&](const xesim::device::Allocation& allocation) {
    using xesim::device::AllocationKind;
    if (allocation.kind == AllocationKind::Host || allocation.kind == AllocationKind::Shared ||
        allocation.kind == AllocationKind::MappedHost) {
      return;
    }
    const auto* owner = static_cast<const Device*>(allocation.device);
    if (root == nullptr || owner == &device) {
      own += allocation.mapped;
    } else if (owner == nullptr || owner == root) {
      common += allocation.mapped;
    }
  });
  return std::min(own + common / tiles, device.topology().memory_bytes);
}

template <std::size_t size>
void write_text(char (&target)[size], std::string_view text) {
  std::memset(target, 0, size);
  text.copy(target, size - 1);
}

zes_pci_speed_t link_speed(const ze_pci_ext_properties_t& pci) {
  return {pci.maxSpeed.genVersion, pci.maxSpeed.width, pci.maxSpeed.maxBandwidth};
}

}  // namespace

ze_result_t later::sysman_init(std::uint32_t /*flags*/) {
  return guarded([] { return Driver::initialise(); });
}

ze_result_t later::sysman_device_get(ze_driver_handle_t driver, std::uint32_t* count,
                                     ze_device_handle_t* devices) {
  if (driver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const auto& roots = object_of<Driver>(driver)->devices();
  return enumerate(count, devices, static_cast<std::uint32_t>(roots.size()),
                   [&](ze_device_handle_t& device, std::uint32_t index) {
                     device = roots[index]->handle();
                   });
}

ze_result_t later::sysman_device_by_uuid(ze_driver_handle_t driver, ze_device_uuid_t uuid,
                                         ze_device_handle_t* found, ze_bool_t* on_subdevice,
                                         std::uint32_t* subdevice) {
  if (driver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (found == nullptr || on_subdevice == nullptr || subdevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const auto is_it = [&](const Device& device) {
    ze_device_properties_t properties{};
    return zeDeviceGetProperties(device.handle(), &properties) == ZE_RESULT_SUCCESS &&
           std::memcmp(&properties.uuid, &uuid, sizeof(uuid)) == 0;
  };
  for (const auto& root : object_of<Driver>(driver)->devices()) {
    *found = root->handle();
    *on_subdevice = 0;
    *subdevice = 0;
    if (is_it(*root)) {
      return ZE_RESULT_SUCCESS;
    }
    for (const auto& tile : root->tiles()) {
      if (is_it(*tile)) {
        *on_subdevice = 1;
        *subdevice = tile->tile();
        return ZE_RESULT_SUCCESS;
      }
    }
  }
  *found = nullptr;
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zesDeviceGetProperties(zes_device_handle_t hDevice,
                                   zes_device_properties_t* properties) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  Device& device = *object_of<Device>(hDevice);
  properties->core = {};
  properties->core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  zeDeviceGetProperties(hDevice, &properties->core);
  properties->numSubdevices = static_cast<std::uint32_t>(device.tiles().size());
  write_text(properties->serialNumber, "unknown");  // as the guide says of what is not known
  write_text(properties->boardNumber, "unknown");
  write_text(properties->brandName, "unknown");
  write_text(properties->modelName, properties->core.name);
  write_text(properties->vendorName, "Intel(R) Corporation");
  write_text(properties->driverVersion, "unknown");
  for_each_extension(properties->pNext, [&](ExtensionHead& head) {
    if (head.stype == later::kSysmanDeviceExtended) {
      auto& extended = reinterpret_cast<later::SysmanDeviceExtended&>(head);
      extended.uuid = properties->core.uuid;
      extended.type = ZE_DEVICE_TYPE_GPU;
      extended.flags = properties->core.flags;  // of the same values
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t zesDeviceGetState(zes_device_handle_t hDevice, zes_device_state_t* state) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (state == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Monitor::Lock lock = Monitor::instance().lock();
  state->reset = Monitor::instance().device_lost() ? ZES_RESET_REASON_FLAG_WEDGED : 0;
  state->repaired = ZES_REPAIR_STATUS_UNSUPPORTED;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zesDeviceProcessesGetState(zes_device_handle_t hDevice, uint32_t* pCount,
                                       zes_process_state_t* processes) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  // A simulated device is in one process.
  return enumerate(pCount, processes, 1, [&](zes_process_state_t& process, std::uint32_t) {
    process.processId = static_cast<std::uint32_t>(getpid());
    process.memSize = used_memory(*object_of<Device>(hDevice));
    process.sharedSize = 0;
    process.engines = ZES_ENGINE_TYPE_FLAG_COMPUTE | ZES_ENGINE_TYPE_FLAG_DMA;
  });
}

ze_result_t zesDevicePciGetProperties(zes_device_handle_t hDevice,
                                      zes_pci_properties_t* properties) {
  if (properties == nullptr) {
    return hDevice == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                              : ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  ze_pci_ext_properties_t pci{};
  const ze_result_t result = zeDevicePciGetPropertiesExt(hDevice, &pci);
  if (result == ZE_RESULT_SUCCESS) {
    properties->address = {pci.address.domain, pci.address.bus, pci.address.device,
                           pci.address.function};
    properties->maxSpeed = link_speed(pci);
    properties->haveBandwidthCounters = 0;
    properties->havePacketCounters = 0;
    properties->haveReplayCounters = 0;
  }
  return result;
}

ze_result_t zesDevicePciGetState(zes_device_handle_t hDevice, zes_pci_state_t* state) {
  if (state == nullptr) {
    return hDevice == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                              : ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  ze_pci_ext_properties_t pci{};
  const ze_result_t result = zeDevicePciGetPropertiesExt(hDevice, &pci);
  if (result == ZE_RESULT_SUCCESS) {
    state->status = ZES_PCI_LINK_STATUS_GOOD;
    state->qualityIssues = 0;
    state->stabilityIssues = 0;
    state->speed = link_speed(pci);
  }
  return result;
}

ze_result_t zesDeviceEnumMemoryModules(zes_device_handle_t hDevice, uint32_t* pCount,
                                       zes_mem_handle_t* phMemory) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const Device& device = *object_of<Device>(hDevice);
  const auto& tiles = device.tiles();  // each has memory of its own
  const auto total = static_cast<std::uint32_t>(std::max<std::size_t>(tiles.size(), 1));
  return enumerate(pCount, phMemory, total, [&](zes_mem_handle_t& memory, std::uint32_t index) {
    memory = (tiles.empty() ? device : *tiles[index]).memory_module();
  });
}

ze_result_t zesMemoryGetProperties(zes_mem_handle_t hMemory, zes_mem_properties_t* properties) {
  if (hMemory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Device& device = *object_of<Device>(hMemory);
  switch (device.topology().memory_type) {
    case xesim::device::MemoryType::Gddr6: properties->type = ZES_MEM_TYPE_GDDR6; break;
    case xesim::device::MemoryType::Hbm2: properties->type = ZES_MEM_TYPE_HBM; break;
    case xesim::device::MemoryType::Lpddr5: properties->type = ZES_MEM_TYPE_LPDDR5; break;
  }
  properties->onSubdevice = device.root() != nullptr ? 1 : 0;
  properties->subdeviceId = device.tile();
  properties->location = device.topology().is_integrated ? ZES_MEM_LOC_SYSTEM : ZES_MEM_LOC_DEVICE;
  properties->physicalSize = device.topology().memory_bytes;
  properties->busWidth = -1;
  properties->numChannels = -1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zesMemoryGetState(zes_mem_handle_t hMemory, zes_mem_state_t* state) {
  if (hMemory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (state == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  Device& device = *object_of<Device>(hMemory);
  state->health = ZES_MEM_HEALTH_OK;
  state->size = device.topology().memory_bytes;
  state->free = state->size - used_memory(device);
  return ZE_RESULT_SUCCESS;
}
