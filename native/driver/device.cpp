// The device object.
#include "driver/device.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "device/device_process.hpp"
#include "driver/device_timing.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/report.hpp"

namespace xesim::driver {

namespace {

// As Intel's driver shows an A770 by default: one compute engine and one copy engine.
constexpr QueueGroup kQueueGroups[] = {
    {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
         ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS,
     std::numeric_limits<std::size_t>::max(), 1},
    {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY, 16, 1},
};

bool program_debugging_wanted() {
  const char* value = std::getenv("ZET_ENABLE_PROGRAM_DEBUGGING");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

Device::Engine::Engine(const device::Topology& topology,
                       std::shared_ptr<device::AddressSpace> space, std::uint32_t index)
    : recording(Recording::from_environment(index)), gpu(topology, std::move(space)) {
  if (recording != nullptr) {
    const auto pause = gpu.pause();
    gpu.set_observer(recording.get());
  }
  if (program_debugging_wanted()) {
    device::DeviceProcess::begin();
    debug_server = debug::Server::start(gpu, index);
    if (debug_server == nullptr) {
      report("no debugger can attach: the debug socket could not be made");
    }
  }
}

Device::Device(const device::Topology& topology, std::shared_ptr<device::AddressSpace> space,
               std::uint32_t index)
    : topology_(topology),
      index_(index),
      engine_(std::make_shared<Engine>(topology, std::move(space), index)) {
  start_for_debugging();
  for (std::uint32_t tile = 0; topology.tiles > 1 && tile < topology.tiles; ++tile) {
    tiles_.push_back(std::make_unique<Device>(*this, tile));
  }
}

Device::Device(Device& root, std::uint32_t tile)
    : topology_(root.topology_.tile()),
      index_(root.index_),
      engine_(root.engine_),
      root_(&root),
      tile_(tile) {
  start_for_debugging();
}

void Device::start_for_debugging() {
  if (program_debugging_wanted()) {
    streamer_.start();
  }
}

ze_result_t Device::drain() {
  ze_result_t result = streamer_.drain();
  for (const auto& tile : tiles_) {
    if (const ze_result_t of_tile = tile->drain(); result == ZE_RESULT_SUCCESS) {
      result = of_tile;
    }
  }
  return result;
}

void Device::confine(device::KernelLaunch& launch) const {
  if (root_ == nullptr) {
    return;
  }
  launch.first_slice = tile_ * topology_.slices;
  launch.slice_count = topology_.slices;
}

std::uint64_t Device::maximum_allocation() const {
  constexpr std::uint64_t kOneSurface = (std::uint64_t{4} << 30) - 8192;
  return std::min(topology().memory_bytes, kOneSurface);
}

const QueueGroup* Device::queue_group(std::uint32_t ordinal) {
  return ordinal < std::size(kQueueGroups) ? &kQueueGroups[ordinal] : nullptr;
}

}  // namespace xesim::driver

using namespace xesim::driver;

ze_result_t zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t hDevice, uint32_t* pCount,
                                                   ze_command_queue_group_properties_t* groups) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return enumerate(pCount, groups, std::size(kQueueGroups),
                   [](ze_command_queue_group_properties_t& group, std::uint32_t ordinal) {
                     group.flags = kQueueGroups[ordinal].flags;
                     group.maxMemoryFillPatternSize = kQueueGroups[ordinal].maximum_fill_pattern;
                     group.numQueues = kQueueGroups[ordinal].queues;
                   });
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t hDevice) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const Monitor::Lock lock = Monitor::instance().lock();
  return Monitor::instance().device_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t hDevice, uint64_t* hostTimestamp,
                                        uint64_t* deviceTimestamp) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (hostTimestamp == nullptr || deviceTimestamp == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *hostTimestamp = host_nanoseconds();
  *deviceTimestamp = device_timestamp();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
                                  ze_bool_t* value) {
  if (hDevice == nullptr || hPeerDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (value == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *value = 1;  // all devices share one address space
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::device_synchronize(ze_device_handle_t device) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return object_of<Device>(device)->drain();
}
