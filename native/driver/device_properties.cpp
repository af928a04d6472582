// What the device is: the property queries. Every structure keeps its stype and pNext; clients pass
// stypes that they never set, so none is refused.
#include <level_zero/ze_api.h>

#include <cstring>
#include <iterator>

#include "device/image_state.hpp"
#include "driver/context.hpp"
#include "driver/device.hpp"
#include "driver/device_timing.hpp"
#include "driver/event_timestamps.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/mutable_api.hpp"

using namespace xesim::driver;

namespace {

constexpr std::uint32_t kVendorIntel = 0x8086;
constexpr std::uint32_t kArgumentBytes = 2048;
constexpr std::uint32_t kPrintfBufferBytes = 4u << 20;
constexpr std::uint32_t kLargestSubGroup = 32;
constexpr std::uint32_t kSamplers = 16;
constexpr std::uint32_t kImageArguments = 128;
constexpr std::uint32_t kRevisionMask = 0x3FFF;  // of an IP version

// The data port adds floats and doubles atomically, halves not.
constexpr ze_device_fp_atomic_ext_flags_t kFloatAtomics =
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX |
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
// Elements of 64 bits are loaded and stored whole also where there is no arithmetic of doubles.
constexpr ze_device_fp_atomic_ext_flags_t kDoubleMoves =
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE;
constexpr ze_device_fp_atomic_ext_flags_t kFloatAtomicSums =
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD;

// Both arguments of a property query, checked.
template <class Properties>
ze_result_t check(ze_device_handle_t device, Properties* properties) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return properties == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER : ZE_RESULT_SUCCESS;
}

void fill_uuid(const Device& device, ze_device_uuid_t& uuid) {
  const xesim::device::Topology& topology = device.topology();
  std::memset(uuid.id, 0, sizeof(uuid.id));
  const std::uint16_t identity[] = {static_cast<std::uint16_t>(kVendorIntel),
                                    static_cast<std::uint16_t>(topology.device_id),
                                    static_cast<std::uint16_t>(topology.ip_version & kRevisionMask)};
  std::memcpy(uuid.id, identity, sizeof(identity));
  uuid.id[sizeof(identity)] = static_cast<std::uint8_t>(device.index());
  const bool is_tile = device.root() != nullptr;
  uuid.id[sizeof(uuid.id) - 1] = static_cast<std::uint8_t>(is_tile ? device.tile() + 1 : 0);
}

ze_device_memory_ext_type_t memory_type(xesim::device::MemoryType type) {
  switch (type) {
    case xesim::device::MemoryType::Gddr6: return ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6;
    case xesim::device::MemoryType::Hbm2: return ZE_DEVICE_MEMORY_EXT_TYPE_HBM2;
    case xesim::device::MemoryType::Lpddr5: return ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR5;
  }
  return ZE_DEVICE_MEMORY_EXT_TYPE_FORCE_UINT32;
}

void fill_device_extensions(const xesim::device::Topology& topology, void* first) {
  for_each_extension(first, [&](ExtensionHead& head) {
    if (head.stype == later::kDeviceIpVersion) {
      reinterpret_cast<later::DeviceIpVersion&>(head).ip_version = topology.ip_version;
    } else if (head.stype == later::kTimestampQueries) {
      reinterpret_cast<later::TimestampQueries&>(head).flags = later::kBothClocks;
    } else if (head.stype == later::kReadOnlyMemory) {
      reinterpret_cast<later::ReadOnlyMemory&>(head).capability = later::kReadOnlyIsEnforced;
    } else if (head.stype == later::kMutableCommandListProperties) {
      auto& lists = reinterpret_cast<later::MutableCommandListProperties&>(head);
      lists.list_flags = 0;
      lists.command_flags = later::kAllMutableAspects;
    } else if (head.stype == ZE_STRUCTURE_TYPE_EU_COUNT_EXT) {
      reinterpret_cast<ze_eu_count_ext_t&>(head).numTotalEUs =
          topology.thread_count() / topology.threads_per_eu;
    }
  });
}

}  // namespace

ze_result_t zeDeviceGetProperties(ze_device_handle_t hDevice, ze_device_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  const Device& device = *object_of<Device>(hDevice);
  const xesim::device::Topology& topology = device.topology();
  properties->type = ZE_DEVICE_TYPE_GPU;
  properties->vendorId = kVendorIntel;
  properties->deviceId = topology.device_id;
  const bool is_tile = device.root() != nullptr;
  properties->flags = (is_tile ? ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE : 0) |
                      (topology.is_integrated ? ZE_DEVICE_PROPERTY_FLAG_INTEGRATED : 0);
  properties->subdeviceId = device.tile();
  properties->coreClockRate = topology.core_clock_mhz;
  properties->maxMemAllocSize = device.maximum_allocation();
  properties->maxHardwareContexts = 64 * 1024;
  properties->maxCommandQueuePriority = 0;
  properties->numThreadsPerEU = topology.threads_per_eu;
  properties->physicalEUSimdWidth = topology.simd_width();
  properties->numEUsPerSubslice = topology.eus_per_subslice;
  properties->numSubslicesPerSlice = topology.subslices_per_slice;
  properties->numSlices = topology.slices;
  // Cycles per second since 1.2, nanoseconds per cycle in the structure of 1.0.
  properties->timerResolution = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2
                                    ? kTimerHertz
                                    : 1'000'000'000 / kTimerHertz;
  properties->timestampValidBits = kTimestampBits;
  properties->kernelTimestampValidBits = kKernelTimestampBits;
  fill_uuid(device, properties->uuid);
  std::memset(properties->name, 0, sizeof(properties->name));
  topology.name.copy(properties->name, sizeof(properties->name) - 1);
  fill_device_extensions(topology, properties->pNext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t hDevice,
                                         ze_device_compute_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  const xesim::device::Topology& topology = object_of<Device>(hDevice)->topology();
  properties->maxTotalGroupSize = topology.group_size;
  properties->maxGroupSizeX = topology.group_size;
  properties->maxGroupSizeY = topology.group_size;
  properties->maxGroupSizeZ = topology.group_size;
  properties->maxGroupCountX = UINT32_MAX;
  properties->maxGroupCountY = UINT32_MAX;
  properties->maxGroupCountZ = UINT32_MAX;
  properties->maxSharedLocalMemory = topology.group_slm_bytes;
  std::memset(properties->subGroupSizes, 0, sizeof(properties->subGroupSizes));
  properties->numSubGroupSizes = 0;
  for (std::uint32_t size = topology.least_sub_group; size <= kLargestSubGroup; size *= 2) {
    properties->subGroupSizes[properties->numSubGroupSizes++] = size;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t hDevice,
                                        ze_device_module_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  constexpr ze_device_fp_flags_t kFloat =
      ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
      ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO | ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA;
  properties->spirvVersionSupported = ZE_MAKE_VERSION(1, 4);
  properties->flags =
      ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS | ZE_DEVICE_MODULE_FLAG_DP4A;
  properties->fp16flags = kFloat;
  properties->fp32flags = kFloat | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  properties->fp64flags = 0;
  if (object_of<Device>(hDevice)->topology().has_double) {
    properties->flags |= ZE_DEVICE_MODULE_FLAG_FP64;
    properties->fp64flags = kFloat | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  }
  properties->maxArgumentsSize = kArgumentBytes;
  properties->printfBufferSize = kPrintfBufferBytes;
  constexpr char kNativeKernels[ZE_MAX_NATIVE_KERNEL_UUID_SIZE + 1] = "zebin-xesim-0001";
  std::memcpy(properties->nativeKernelSupported.id, kNativeKernels,
              sizeof(properties->nativeKernelSupported.id));
  for_each_extension(properties->pNext, [&](ExtensionHead& head) {
    if (head.stype == ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES) {
      auto& atomics = reinterpret_cast<ze_float_atomic_ext_properties_t&>(head);
      atomics.fp16Flags = kFloatAtomics;
      atomics.fp32Flags = kFloatAtomics | kFloatAtomicSums;
      atomics.fp64Flags = properties->fp64flags != 0 ? atomics.fp32Flags : kDoubleMoves;
    } else if (head.stype == ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES) {
      // Taken and without effect: every thread that can run has its turn.
      reinterpret_cast<ze_scheduling_hint_exp_properties_t&>(head).schedulingHintFlags =
          ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST | ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN |
          ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN;
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t hDevice, uint32_t* pCount,
                                        ze_device_memory_properties_t* properties) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const xesim::device::Topology& topology = object_of<Device>(hDevice)->topology();
  return enumerate(
      pCount, properties, 1, [&](ze_device_memory_properties_t& memory, std::uint32_t) {
        memory.flags = 0;
        memory.maxClockRate = topology.memory_clock_mhz;
        memory.maxBusWidth = topology.memory_bus_bits;
        memory.totalSize = topology.memory_bytes;
        std::memset(memory.name, 0, sizeof(memory.name));
        memory_name(topology.memory_type).copy(memory.name, sizeof(memory.name) - 1);
        for_each_extension(memory.pNext, [&](ExtensionHead& head) {
          if (head.stype == ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES) {
            auto& extended = reinterpret_cast<ze_device_memory_ext_properties_t&>(head);
            extended.type = memory_type(topology.memory_type);
            extended.physicalSize = topology.memory_bytes;
            extended.readBandwidth = topology.memory_bandwidth;
            extended.writeBandwidth = topology.memory_bandwidth;
            extended.bandwidthUnit = ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC;
          }
        });
      });
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t hDevice,
                                              ze_device_memory_access_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  constexpr ze_memory_access_cap_flags_t kAll =
      ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
  properties->hostAllocCapabilities = kAll;
  properties->deviceAllocCapabilities = kAll;
  properties->sharedSingleDeviceAllocCapabilities = kAll;
  properties->sharedCrossDeviceAllocCapabilities = 0;
  // The program's own memory is the same bytes to host and device, and atomics are those of the host.
  properties->sharedSystemAllocCapabilities =
      object_of<Device>(hDevice)->memory().shares_program_memory()
          ? kAll | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT |
                ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC
          : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t hDevice, uint32_t* pCount,
                                       ze_device_cache_properties_t* properties) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return enumerate(pCount, properties, 1, [&](ze_device_cache_properties_t& cache, std::uint32_t) {
    cache.flags = 0;
    cache.cacheSize = object_of<Device>(hDevice)->topology().last_level_cache_bytes;
  });
}

ze_result_t zeDeviceGetImageProperties(ze_device_handle_t hDevice,
                                       ze_device_image_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  // All 0 says that the device has no images.
  const bool has = object_of<Device>(hDevice)->topology().has_images;
  properties->maxImageDims1D = has ? xesim::device::kMostImageExtent : 0;
  properties->maxImageDims2D = has ? xesim::device::kMostImageExtent : 0;
  properties->maxImageDims3D = has ? xesim::device::kMostImageDepth : 0;
  properties->maxImageBufferSize = has ? xesim::device::kMostImageBufferTexels : 0;
  properties->maxImageArraySlices = has ? xesim::device::kMostImageDepth : 0;
  properties->maxSamplers = has ? kSamplers : 0;
  properties->maxReadImageArgs = has ? kImageArguments : 0;
  properties->maxWriteImageArgs = has ? kImageArguments : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t hDevice, ze_device_external_memory_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  properties->memoryAllocationImportTypes = kExternalMemoryTypes;
  properties->memoryAllocationExportTypes = kExternalMemoryTypes;
  const bool has_images = object_of<Device>(hDevice)->topology().has_images;
  properties->imageImportTypes = has_images ? kExternalMemoryTypes : 0;
  properties->imageExportTypes = has_images ? kExternalMemoryTypes : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
                                     ze_device_p2p_properties_t* properties) {
  if (hPeerDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  properties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDevicePciGetPropertiesExt(ze_device_handle_t hDevice,
                                        ze_pci_ext_properties_t* properties) {
  if (const ze_result_t result = check(hDevice, properties)) {
    return result;
  }
  const std::uint32_t bus = 3 + object_of<Device>(hDevice)->index();
  properties->address = {.domain = 0, .bus = bus, .device = 0, .function = 0};
  properties->maxSpeed = {.genVersion = 4, .width = 16, .maxBandwidth = 31'500'000'000};
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::device_get_vector_widths(ze_device_handle_t device, std::uint32_t* count,
                                            VectorWidths* widths) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const xesim::device::Topology& topology = object_of<Device>(device)->topology();
  return enumerate(count, widths, 1, [&](VectorWidths& target, std::uint32_t) {
    const std::uint32_t doubles = topology.has_double ? 1 : 0;
    // As Intel's driver: what a message moves at once, of each size; arithmetic is on single elements.
    constexpr std::uint32_t kPreferred[] = {16, 8, 4, 1, 1, 1, 8};
    target.bytes = topology.grf_bytes();
    for (std::size_t type = 0; type < std::size(kPreferred); ++type) {
      const bool is_double = type == 5;
      target.preferred[type] = is_double ? doubles : kPreferred[type];
      target.native[type] = target.preferred[type];
    }
  });
}
