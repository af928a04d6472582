#include "driver/event.hpp"

#include <optional>

#include "driver/device_timing.hpp"
#include "driver/event_timestamps.hpp"
#include "driver/later_api.hpp"
#include "driver/monitor.hpp"

namespace xesim::driver {

ze_kernel_timestamp_result_t timestamp_result(const CommandTimes& times) {
  constexpr std::uint64_t kMask = valid_bits(kKernelTimestampBits);
  const ze_kernel_timestamp_data_t data{times.start & kMask, times.end & kMask};
  // One context at a time runs on the device, so its time is the device's.
  return {.global = data, .context = data};
}

ze_result_t collect_wait_events(std::uint32_t count, ze_event_handle_t* handles,
                                std::vector<std::shared_ptr<Event>>& events) {
  if (count > 0 && handles == nullptr) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  for (std::uint32_t index = 0; index < count; ++index) {
    if (!is_live(handles[index])) {
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    }
    events.push_back(object_of<Event>(handles[index])->shared_from_this());
  }
  return ZE_RESULT_SUCCESS;
}

namespace {

// Changes `handle`'s event under the lock and wakes the threads that wait for it.
template <class Change>
ze_result_t change(ze_event_handle_t handle, Change apply) {
  if (handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  Monitor& monitor = Monitor::instance();
  const Monitor::Lock lock = monitor.lock();
  apply(*object_of<Event>(handle));
  monitor.notify();
  return ZE_RESULT_SUCCESS;
}

// SUCCESS with the times of a signalled event; NOT_READY before, INVALID_ARGUMENT when its pool keeps
// none.
ze_result_t query_times(ze_event_handle_t handle, CommandTimes& times) {
  const Monitor::Lock lock = Monitor::instance().lock();
  const Event& event = *object_of<Event>(handle);
  if (!event.pool()->keeps_timestamps()) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  if (!event.signalled()) {
    return ZE_RESULT_NOT_READY;
  }
  times = event.times();
  return ZE_RESULT_SUCCESS;
}

}  // namespace

}  // namespace xesim::driver

using namespace xesim::driver;

ze_result_t zeEventCreate(ze_event_pool_handle_t hEventPool, const ze_event_desc_t* desc,
                          ze_event_handle_t* phEvent) {
  if (hEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phEvent == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  EventPool& pool = *object_of<EventPool>(hEventPool);
  if (desc->index >= pool.count()) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    *phEvent = publish<ze_event_handle_t>(std::make_shared<Event>(pool.shared_from_this(), *desc));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventDestroy(ze_event_handle_t hEvent) {
  if (hEvent == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<Event>(hEvent));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSignal(ze_event_handle_t hEvent) {
  const std::uint64_t now = device_timestamp();
  return change(hEvent, [now](Event& event) {
    event.failure().clear();
    event.signal({now, now});
  });
}

ze_result_t zeEventHostReset(ze_event_handle_t hEvent) {
  return change(hEvent, [](Event& event) { event.reset(); });
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout) {
  if (hEvent == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  Event& event = *object_of<Event>(hEvent);
  std::optional<std::uint64_t> round;  // the last one when this was called
  return Monitor::instance().wait(timeout, [&] {
    round = round.value_or(event.round());
    return event.signalled(*round);
  }, [&]() -> FailureToTell& { return event.failure(); });
}

ze_result_t zeEventQueryStatus(ze_event_handle_t hEvent) {
  return zeEventHostSynchronize(hEvent, 0);
}

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t hEvent,
                                        ze_kernel_timestamp_result_t* dstptr) {
  if (hEvent == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (dstptr == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  CommandTimes times;
  const ze_result_t result = query_times(hEvent, times);
  if (result == ZE_RESULT_SUCCESS) {
    *dstptr = timestamp_result(times);
  }
  return result;
}

ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t hEvent, ze_device_handle_t hDevice,
                                      uint32_t* pCount, ze_kernel_timestamp_result_t* pTimestamps) {
  if (hEvent == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pCount == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  CommandTimes times;
  const ze_result_t result = query_times(hEvent, times);
  if (result != ZE_RESULT_SUCCESS) {
    return result;
  }
  return enumerate(pCount, pTimestamps, 1,
                   [&](ze_kernel_timestamp_result_t& packet, std::uint32_t) {
                     packet = timestamp_result(times);
                   });
}

ze_result_t later::event_query_kernel_timestamps(ze_event_handle_t event,
                                                 ze_device_handle_t device, std::uint32_t* count,
                                                 TimestampResults* results) {
  if (event == nullptr || device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (count == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  CommandTimes times;
  if (const ze_result_t result = query_times(event, times)) {
    return result;
  }
  if (*count == 0 || results == nullptr) {
    *count = 1;
    return ZE_RESULT_SUCCESS;
  }
  *count = 1;
  // The counter of 36 bits wraps after an hour: the host's clock says how often it has. The same ticks
  // are the same time for whoever asks.
  using Wide = unsigned __int128;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const auto now = static_cast<std::uint64_t>(Wide{host_nanoseconds()} * kTimerHertz / kSecond);
  const auto on_host = [now](std::uint64_t then) {
    const std::uint64_t ticks = now - ((now - then) & valid_bits(kTimestampBits));
    return static_cast<std::uint64_t>(Wide{ticks} * kSecond / kTimerHertz);
  };
  if (results->of_device != nullptr) {
    *results->of_device = timestamp_result(times);
  }
  if (results->of_host != nullptr) {
    results->of_host->global = {on_host(times.start), on_host(times.end)};
    results->of_host->context = {on_host(times.start), on_host(times.end)};
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::event_get_event_pool(ze_event_handle_t event, ze_event_pool_handle_t* pool) {
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Event& object = *object_of<Event>(event);
  if (object.counter_flags()) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;  // is of no pool
  }
  *pool = object.pool()->handle();
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::event_get_signal_scope(ze_event_handle_t event, ze_event_scope_flags_t* scope) {
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (scope == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *scope = object_of<Event>(event)->signal_scope();
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::event_get_wait_scope(ze_event_handle_t event, ze_event_scope_flags_t* scope) {
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (scope == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *scope = object_of<Event>(event)->wait_scope();
  return ZE_RESULT_SUCCESS;
}
