// zeInit and the driver object.
#include "driver/driver.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "driver/handle.hpp"
#include "driver/last_error.hpp"
#include "driver/later_api.hpp"
#include "driver/never_destroyed.hpp"
#include "driver/report.hpp"
#include "driver/xesim_debug_extension.h"

namespace xesim::driver {

namespace {

// XESIM_DEVICE chooses the simulated devices, separated by commas; nothing (and a line for the user)
// when it names one that does not exist.
std::vector<const device::Topology*> chosen_topologies() {
  const char* wanted = std::getenv("XESIM_DEVICE");
  const std::string_view keys = wanted != nullptr && *wanted != '\0' ? wanted : "dg2";
  std::vector<const device::Topology*> topologies;
  for (std::size_t begin = 0; begin <= keys.size();) {
    const std::size_t end = std::min(keys.find(',', begin), keys.size());
    const std::string_view key = keys.substr(begin, end - begin);
    begin = end + 1;
    topologies.push_back(device::find_topology(key));
    if (topologies.back() != nullptr) {
      continue;
    }
    std::string line =
        "XESIM_DEVICE=" + std::string(keys) + " is not a simulated device; there are:";
    for (const device::Topology& known : device::topologies()) {
      line += ' ';
      line += known.key;
    }
    report(line);
    return {};
  }
  return topologies;
}

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// XESIM_SCHEDULER and XESIM_SEED choose the order in which hardware threads run; nothing (and a line
// for the user) when they make no sense.
std::optional<device::Scheduling> chosen_scheduling() {
  auto chosen = device::parse_scheduling(variable("XESIM_SCHEDULER"), variable("XESIM_SEED"));
  if (const auto* problem = std::get_if<std::string>(&chosen)) {
    report("XESIM_SCHEDULER, XESIM_SEED: " + *problem);
    return std::nullopt;
  }
  return std::get<device::Scheduling>(chosen);
}

// XESIM_HOST_CORES says how many cores of the host a launch may use; nothing (and a line for the user)
// when it makes no sense. A policy that is named is an order, which only one core keeps.
std::optional<device::HostCores> chosen_host_cores() {
  const std::string_view text = variable("XESIM_HOST_CORES");
  const auto chosen = device::parse_host_cores(text);
  if (!chosen) {
    report("XESIM_HOST_CORES=" + std::string(text) + " is not a number of cores, 1 or more");
    return std::nullopt;
  }
  return variable("XESIM_SCHEDULER").empty() ? *chosen : device::HostCores{};
}

std::mutex initialise_mutex;
std::atomic<Driver*> driver_instance{nullptr};

}  // namespace

Driver::Driver(const std::vector<const device::Topology*>& topologies,
               const device::Scheduling& scheduling, device::HostCores host_cores) {
  std::uint64_t bytes = 0;
  for (const device::Topology* topology : topologies) {
    bytes += topology->memory_bytes;
  }
  // Intel's driver shares it with its debug key of that name, which is off by default.
  const bool shares_program_memory = variable("EnableSharedSystemUsmSupport") == "1";
  const auto space = std::make_shared<device::AddressSpace>(bytes, shares_program_memory);
  for (const device::Topology* topology : topologies) {
    const auto index = static_cast<std::uint32_t>(devices_.size());
    devices_.push_back(std::make_unique<Device>(*topology, space, index));
    device::Device& gpu = devices_.back()->gpu();
    const auto held = gpu.pause();
    gpu.set_scheduling(scheduling);
    gpu.set_host_cores(host_cores);
  }
  std::vector<std::uint32_t> tiles;
  for (const device::Topology* topology : topologies) {
    tiles.push_back(topology->tiles);
  }
  affinity_ = AffinityMask::parse(variable("ZE_AFFINITY_MASK"), tiles, lists_tiles());
}

bool Driver::lists_tiles() {
  const char* hierarchy = std::getenv("ZE_FLAT_DEVICE_HIERARCHY");
  const std::string_view wanted = hierarchy != nullptr ? hierarchy : "";
  return wanted == "FLAT" || wanted == "COMBINED";
}

std::vector<Device*> Driver::listed_devices() const {
  std::vector<Device*> listed;
  for (const auto& device : devices_) {
    const std::vector<Device*> tiles = shown_tiles(*device);
    if (device->tiles().empty()) {
      if (affinity_.shows(device->index(), 0)) listed.push_back(device.get());
    } else if (lists_tiles() || tiles.size() == 1) {
      listed.insert(listed.end(), tiles.begin(), tiles.end());
    } else if (!tiles.empty()) {
      listed.push_back(device.get());
    }
  }
  return listed;
}

std::vector<Device*> Driver::shown_tiles(const Device& root) const {
  std::vector<Device*> shown;
  for (const auto& tile : root.tiles()) {
    if (affinity_.shows(root.index(), tile->tile())) shown.push_back(tile.get());
  }
  return shown;
}

Driver* Driver::instance() { return driver_instance.load(std::memory_order_acquire); }

ze_result_t Driver::initialise() {
  const std::lock_guard lock(initialise_mutex);
  if (instance() != nullptr) {
    return ZE_RESULT_SUCCESS;
  }
  const auto topologies = chosen_topologies();
  const auto scheduling = chosen_scheduling();
  const auto host_cores = chosen_host_cores();
  if (topologies.empty() || !scheduling || !host_cores) {
    return ZE_RESULT_ERROR_UNINITIALIZED;
  }
  static NeverDestroyed<Driver> driver(topologies, *scheduling, *host_cores);
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
    {ZE_IMAGE_COPY_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_MODULE_PROGRAM_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_IMAGE_VIEW_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_image_view", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_device_ip_version", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_kernel_max_group_size_properties", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_immediate_command_list_append", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_command_list_clone", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_mutable_command_list", ZE_MAKE_VERSION(1, 1)},
    {"ZE_experimental_memory_atomics", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_kernel_allocation_properties", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_kernel_binary_exp", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_device_vector_sizes", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_event_query_kernel_timestamps", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_virtual_mem_readonly_properties", ZE_MAKE_VERSION(1, 0)},
    {ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_FLOAT_ATOMICS_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
    {ZE_FABRIC_EXP_NAME, ZE_MAKE_VERSION(1, 0)},
    {XESIM_DEBUG_EXCEPTION_REASON_NAME, XESIM_DEBUG_EXCEPTION_REASON_VERSION},
    {XESIM_DEBUG_TIME_NAME, XESIM_DEBUG_TIME_VERSION},
};

struct ExtensionFunction {
  std::string_view name;
  void* address;
};

const ExtensionFunction kExtensionFunctions[] = {
    {"zetDebugGetThreadRegisterSetProperties",
     reinterpret_cast<void*>(&later::debug_get_thread_register_set_properties)},
    {"xesimDebugGetExceptionReason", reinterpret_cast<void*>(&xesimDebugGetExceptionReason)},
    {"xesimDebugGetRecording", reinterpret_cast<void*>(&xesimDebugGetRecording)},
    {"xesimDebugSetRecording", reinterpret_cast<void*>(&xesimDebugSetRecording)},
    {"xesimDebugGoTo", reinterpret_cast<void*>(&xesimDebugGoTo)},
    {"xesimDebugGetThreads", reinterpret_cast<void*>(&xesimDebugGetThreads)},
    {"xesimDebugFind", reinterpret_cast<void*>(&xesimDebugFind)},
    {"xesimDebugCancel", reinterpret_cast<void*>(&xesimDebugCancel)},
    {"xesimDebugSetWatch", reinterpret_cast<void*>(&xesimDebugSetWatch)},
    {"xesimDebugClearWatch", reinterpret_cast<void*>(&xesimDebugClearWatch)},
    {"xesimDebugGetWatchHits", reinterpret_cast<void*>(&xesimDebugGetWatchHits)},
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
  properties->flags = ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
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
  for (const ExtensionFunction& function : kExtensionFunctions) {
    if (name == function.name) {
      *address = function.address;
      return ZE_RESULT_SUCCESS;
    }
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
  *text = last_error().c_str();
  return ZE_RESULT_SUCCESS;
}
