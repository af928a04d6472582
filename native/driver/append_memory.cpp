// Commands that copy and fill memory, and the hints about it.
#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "driver/command_list.hpp"
#include "driver/host_access.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;
using xesim::device::MemoryUse;

namespace {

Loss copy(Device& device, void* target, const void* source, std::size_t size) {
  if (Loss loss = check_host_access(device, "memory copy source", source, size)) {
    return loss;
  }
  if (Loss loss = check_host_access(device, "memory copy target", target, size, MemoryUse::Write)) {
    return loss;
  }
  std::memmove(target, source, size);
  return std::nullopt;
}

Loss fill(Device& device, void* target, std::size_t size, const std::vector<std::byte>& pattern) {
  if (Loss loss = check_host_access(device, "memory fill target", target, size, MemoryUse::Write)) {
    return loss;
  }
  auto* bytes = static_cast<std::byte*>(target);
  if (pattern.size() == 1) {
    std::memset(bytes, static_cast<int>(pattern[0]), size);
    return std::nullopt;
  }
  for (std::size_t done = 0; done < size; done += pattern.size()) {
    std::memcpy(bytes + done, pattern.data(), std::min(pattern.size(), size - done));
  }
  return std::nullopt;
}

// One side of a region copy.
struct Plane {
  std::byte* base;
  ze_copy_region_t region;
  std::size_t pitch;        // bytes from row to row
  std::size_t slice_pitch;  // bytes from slice to slice

  [[nodiscard]] std::byte* row(std::uint32_t y, std::uint32_t z) const {
    return base + (region.originZ + z) * slice_pitch + (region.originY + y) * pitch +
           region.originX;
  }
};

// A depth of 0 stands for a flat region, as Intel's driver takes it.
std::uint32_t depth_of(const ze_copy_region_t& region) { return std::max(region.depth, 1u); }

Loss copy_region(Device& device, const Plane& target, const Plane& source) {
  for (std::uint32_t z = 0; z < depth_of(target.region); ++z) {
    for (std::uint32_t y = 0; y < target.region.height; ++y) {
      if (Loss loss = copy(device, target.row(y, z), source.row(y, z), target.region.width)) {
        return loss;
      }
    }
  }
  return std::nullopt;
}

bool same_extent(const ze_copy_region_t& a, const ze_copy_region_t& b) {
  return a.width == b.width && a.height == b.height && depth_of(a) == depth_of(b);
}

}  // namespace

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t hCommandList, void* dstptr,
                                          const void* srcptr, size_t size,
                                          ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                          ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (dstptr == nullptr || srcptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    Device& device = object_of<CommandList>(hCommandList)->device();
    return append_command(
        {hCommandList, hSignalEvent, numWaitEvents, phWaitEvents},
        [&device, dstptr, srcptr, size] { return copy(device, dstptr, srcptr, size); });
  });
}

ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t hCommandList,
                                                     void* dstptr, ze_context_handle_t hContextSrc,
                                                     const void* srcptr, size_t size,
                                                     ze_event_handle_t hSignalEvent,
                                                     uint32_t numWaitEvents,
                                                     ze_event_handle_t* phWaitEvents) {
  if (hContextSrc == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return zeCommandListAppendMemoryCopy(hCommandList, dstptr, srcptr, size, hSignalEvent,
                                       numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t hCommandList, void* ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                          ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (ptr == nullptr || pattern == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  CommandList& list = *object_of<CommandList>(hCommandList);
  if (pattern_size == 0 || (pattern_size & (pattern_size - 1)) != 0 ||
      pattern_size > Device::queue_group(list.ordinal())->maximum_fill_pattern) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  return guarded([&] {
    const auto* first = static_cast<const std::byte*>(pattern);
    return append_command({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents},
                          [&device = list.device(), ptr, size,
                           bytes = std::vector<std::byte>(first, first + pattern_size)] {
                            return fill(device, ptr, size, bytes);
                          });
  });
}

ze_result_t zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t hCommandList, void* dstptr, const ze_copy_region_t* dstRegion,
    uint32_t dstPitch, uint32_t dstSlicePitch, const void* srcptr,
    const ze_copy_region_t* srcRegion, uint32_t srcPitch, uint32_t srcSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (dstptr == nullptr || dstRegion == nullptr || srcptr == nullptr || srcRegion == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (!same_extent(*dstRegion, *srcRegion)) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  return guarded([&] {
    const Plane target{static_cast<std::byte*>(dstptr), *dstRegion, dstPitch, dstSlicePitch};
    const Plane source{static_cast<std::byte*>(const_cast<void*>(srcptr)), *srcRegion, srcPitch,
                       srcSlicePitch};
    Device& device = object_of<CommandList>(hCommandList)->device();
    return append_command(
        {hCommandList, hSignalEvent, numWaitEvents, phWaitEvents},
        [&device, target, source] { return copy_region(device, target, source); });
  });
}

// No extension says anything that a coherent memory has to know.
ze_result_t later::command_list_append_memory_copy_with_parameters(
    ze_command_list_handle_t list, void* target, const void* source, std::size_t size,
    const void* /*extensions*/, ze_event_handle_t signal_event, std::uint32_t wait_count,
    ze_event_handle_t* wait_events) {
  return zeCommandListAppendMemoryCopy(list, target, source, size, signal_event, wait_count,
                                       wait_events);
}

ze_result_t later::command_list_append_memory_fill_with_parameters(
    ze_command_list_handle_t list, void* target, const void* pattern, std::size_t pattern_size,
    std::size_t size, const void* /*extensions*/, ze_event_handle_t signal_event,
    std::uint32_t wait_count, ze_event_handle_t* wait_events) {
  return zeCommandListAppendMemoryFill(list, target, pattern, pattern_size, size, signal_event,
                                       wait_count, wait_events);
}

// Hints: all memory is where it should be.
ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t hCommandList,
                                              const void* ptr, size_t /*size*/) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return ptr == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER : ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t hCommandList,
                                         ze_device_handle_t hDevice, const void* ptr,
                                         size_t /*size*/, ze_memory_advice_t /*advice*/) {
  if (hCommandList == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return ptr == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER : ZE_RESULT_SUCCESS;
}
