// Commands that order others: barriers, events, timestamps.
#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "driver/command_list.hpp"
#include "driver/device_timing.hpp"
#include "driver/host_access.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;
using xesim::device::MemoryUse;

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t hCommandList,
                                       ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                       ze_event_handle_t* phWaitEvents) {
  // Lists are in order and memory is coherent: only the events are left to do.
  return guarded([&] {
    return append_command({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, {});
  });
}

ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t hCommandList,
                                                   uint32_t numRanges, const size_t* pRangeSizes,
                                                   const void** pRanges,
                                                   ze_event_handle_t hSignalEvent,
                                                   uint32_t numWaitEvents,
                                                   ze_event_handle_t* phWaitEvents) {
  if (numRanges > 0 && (pRangeSizes == nullptr || pRanges == nullptr)) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return zeCommandListAppendBarrier(hCommandList, hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t hCommandList,
                                           ze_event_handle_t hEvent) {
  if (hEvent == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] { return append_command({hCommandList, hEvent, 0, nullptr}, {}); });
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t hCommandList,
                                            uint32_t numEvents, ze_event_handle_t* phEvents) {
  if (phEvents == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] { return append_command({hCommandList, nullptr, numEvents, phEvents}, {}); });
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t hCommandList,
                                          ze_event_handle_t hEvent) {
  if (hEvent == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    return append_command({.list = hCommandList},
                          [event = object_of<Event>(hEvent)->shared_from_this()]() -> Loss {
                            const Monitor::Lock lock = Monitor::instance().lock();
                            event->reset();
                            return std::nullopt;
                          });
  });
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t hCommandList,
                                                    uint64_t* dstptr,
                                                    ze_event_handle_t hSignalEvent,
                                                    uint32_t numWaitEvents,
                                                    ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (dstptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    Device& device = object_of<CommandList>(hCommandList)->device();
    return append_command(
        {hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, [&device, dstptr]() -> Loss {
          if (Loss loss = check_host_access(device, "timestamp target", dstptr, sizeof(*dstptr),
                                            MemoryUse::Write)) {
            return loss;
          }
          const std::uint64_t now = device_timestamp();
          std::memcpy(dstptr, &now, sizeof(now));
          return std::nullopt;
        });
  });
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(
    ze_command_list_handle_t hCommandList, uint32_t numEvents, ze_event_handle_t* phEvents,
    void* dstptr, const size_t* pOffsets, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phEvents == nullptr || dstptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    std::vector<std::shared_ptr<Event>> events;
    if (const ze_result_t result = collect_wait_events(numEvents, phEvents, events)) {
      return result;
    }
    const auto keeps_times = [](const auto& event) { return event->pool()->keeps_timestamps(); };
    if (!std::ranges::all_of(events, keeps_times)) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    std::vector<std::size_t> offsets;  // bytes from dstptr
    for (std::uint32_t index = 0; index < numEvents; ++index) {
      offsets.push_back(pOffsets != nullptr ? pOffsets[index]
                                            : index * sizeof(ze_kernel_timestamp_result_t));
    }
    Device& device = object_of<CommandList>(hCommandList)->device();
    return append_command(
        {hCommandList, hSignalEvent, numWaitEvents, phWaitEvents},
        [&device, dstptr, events = std::move(events), offsets = std::move(offsets)]() -> Loss {
          for (std::size_t index = 0; index < events.size(); ++index) {
            std::byte* target = static_cast<std::byte*>(dstptr) + offsets[index];
            ze_kernel_timestamp_result_t result{};
            if (Loss loss = check_host_access(device, "timestamp target", target, sizeof(result),
                                              MemoryUse::Write)) {
              return loss;
            }
            {
              const Monitor::Lock lock = Monitor::instance().lock();
              result = timestamp_result(events[index]->times());
            }
            std::memcpy(target, &result, sizeof(result));
          }
          return std::nullopt;
        });
  });
}

// It runs on the thread of the streamer, between the commands before it and those after.
ze_result_t later::command_list_append_host_function(ze_command_list_handle_t list,
                                                     HostFunction function, void* user_data,
                                                     const void* /*extensions*/,
                                                     ze_event_handle_t signal_event,
                                                     std::uint32_t wait_count,
                                                     ze_event_handle_t* wait_events) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (function == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    return append_command({list, signal_event, wait_count, wait_events},
                          [function, user_data]() -> Loss {
                            function(user_data);
                            return std::nullopt;
                          });
  });
}
