// zeInit and the driver object.
#include "driver/driver.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/never_destroyed.hpp"
#include "driver/report.hpp"

namespace xesim::driver {

namespace {

// XESIM_DEVICE chooses the simulated device; null (and a line for the user) when it names none.
const device::Topology* chosen_topology() {
  const char* wanted = std::getenv("XESIM_DEVICE");
  const std::string_view key = wanted != nullptr && *wanted != '\0' ? wanted : "dg2";
  const device::Topology* topology = device::find_topology(key);
  if (topology == nullptr) {
    std::string line =
        "XESIM_DEVICE=" + std::string(key) + " is not a simulated device; there are:";
    for (const device::Topology& known : device::topologies()) {
      line += ' ';
      line += known.key;
    }
    report(line);
  }
  return topology;
}

std::mutex initialise_mutex;
std::atomic<Driver*> driver_instance{nullptr};

}  // namespace

Driver::Driver(const device::Topology& topology) : device_(topology) {}

Driver* Driver::instance() { return driver_instance.load(std::memory_order_acquire); }

ze_result_t Driver::initialise() {
  const std::lock_guard lock(initialise_mutex);
  if (instance() != nullptr) {
    return ZE_RESULT_SUCCESS;
  }
  const device::Topology* topology = chosen_topology();
  if (topology == nullptr) {
    return ZE_RESULT_ERROR_UNINITIALIZED;
  }
  static NeverDestroyed<Driver> driver(*topology);
  driver_instance.store(&driver.get(), std::memory_order_release);
  return ZE_RESULT_SUCCESS;
}

namespace {

constexpr std::uint32_t kDriverVersion = 1;

struct Extension {
  const char* name;
  std::uint32_t version;
};

// Only what is really there.
constexpr Extension kExtensions[] = {
    {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_EU_COUNT_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_PCI_PROPERTIES_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_SUBGROUPS_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_device_ip_version", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_kernel_max_group_size_properties", ZE_MAKE_VERSION(1, 0)},
};

ze_result_t list_drivers(std::uint32_t* count, ze_driver_handle_t* drivers) {
  return enumerate(count, drivers, 1, [](ze_driver_handle_t& driver, std::uint32_t) {
    driver = Driver::instance()->handle();
  });
}

}  // namespace

}  // namespace xesim::driver

using namespace xesim::driver;

ze_result_t zeInit(ze_init_flags_t flags) {
  if (flags != 0 && (flags & ZE_INIT_FLAG_GPU_ONLY) == 0) {
    return ZE_RESULT_ERROR_UNINITIALIZED;  // only devices of another kind are wanted
  }
  return guarded([] { return Driver::initialise(); });
}

ze_result_t later::init_drivers(std::uint32_t* count, ze_driver_handle_t* drivers,
                                InitDriverTypes* description) {
  if (count == nullptr || description == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if ((description->flags & kInitDriverTypeGpu) == 0) {
    return ZE_RESULT_ERROR_UNINITIALIZED;
  }
  return guarded([&] {
    const ze_result_t result = Driver::initialise();
    return result == ZE_RESULT_SUCCESS ? list_drivers(count, drivers) : result;
  });
}

ze_result_t zeDriverGet(uint32_t* pCount, ze_driver_handle_t* phDrivers) {
  if (Driver::instance() == nullptr) {
    return ZE_RESULT_ERROR_UNINITIALIZED;
  }
  return list_drivers(pCount, phDrivers);
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t hDriver, ze_api_version_t* version) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (version == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *version = later::kReportedVersion;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t hDriver, ze_driver_properties_t* properties) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  constexpr char kIdentity[ZE_MAX_DRIVER_UUID_SIZE + 1] = "xesim-driver-001";
  std::memcpy(properties->uuid.id, kIdentity, sizeof(properties->uuid.id));
  properties->driverVersion = kDriverVersion;
  for_each_extension(properties->pNext, [](ExtensionHead& head) {
    if (head.stype == ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES) {
      reinterpret_cast<ze_driver_memory_free_ext_properties_t&>(head).freePolicies =
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t hDriver,
                                     ze_driver_ipc_properties_t* properties) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t hDriver, uint32_t* pCount,
                                           ze_driver_extension_properties_t* properties) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return enumerate(pCount, properties, std::size(kExtensions),
                   [](ze_driver_extension_properties_t& property, std::uint32_t index) {
                     std::memset(property.name, 0, sizeof(property.name));
                     std::strncpy(property.name, kExtensions[index].name,
                                  sizeof(property.name) - 1);
                     property.version = kExtensions[index].version;
                   });
}

ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t hDriver, const char* name,
                                                void** address) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (name == nullptr || address == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (std::string_view(name) == "zetDebugGetThreadRegisterSetProperties") {
    *address = reinterpret_cast<void*>(&later::debug_get_thread_register_set_properties);
    return ZE_RESULT_SUCCESS;
  }
  *address = nullptr;
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t later::driver_get_last_error_description(ze_driver_handle_t driver, const char** text) {
  if (driver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (text == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *text = "";
  return ZE_RESULT_SUCCESS;
}
