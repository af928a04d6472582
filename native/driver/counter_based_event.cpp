// Counter-based events that are of no pool, also those that several processes share.
#include "driver/context.hpp"
#include "driver/device.hpp"
#include "driver/event.hpp"
#include "driver/ipc_handle.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t later::event_counter_based_create(ze_context_handle_t context,
                                              ze_device_handle_t device,
                                              const CounterBasedEvent* description,
                                              ze_event_handle_t* event) {
  if (context == nullptr || device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (description == nullptr || event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  constexpr std::uint32_t kBothTimes = kCounterDeviceTimestamp | kCounterHostTimestamp;
  if (description->flags > kLastCounterFlags ||
      (description->flags & kBothTimes) == kBothTimes) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  // Counters that the program keeps, graphs.
  bool is_supported = (description->flags & kCounterGraph) == 0;
  for_each_extension(description->pNext, [&](const ExtensionHead& head) {
    is_supported = is_supported && head.stype != kExternalCounter && head.stype != kSummedCounter;
  });
  if (!is_supported) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  return guarded([&] {
    ze_event_pool_flags_t flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    if ((description->flags & kCounterDeviceTimestamp) != 0) {
      flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    }
    if ((description->flags & kCounterHostTimestamp) != 0) {
      flags |= kMappedTimestamps;
    }
    std::unique_ptr<SharedEvents> shared;
    if ((description->flags & kCounterIpc) != 0) {
      shared = SharedEvents::create(1, flags | SharedEvents::kCounterBased);
      if (shared == nullptr) {
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
      }
    }
    auto pool = std::make_shared<EventPool>(object_of<Context>(context)->shared_from_this(), flags,
                                            1, true, std::move(shared));
    const ze_event_desc_t scopes{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, description->signal,
                                 description->wait};
    *event = publish<ze_event_handle_t>(
        std::make_shared<Event>(std::move(pool), scopes, description->flags));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::event_counter_based_get_ipc_handle(ze_event_handle_t event,
                                                      CounterBasedIpcHandle* handle) {
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Event& exported = *object_of<Event>(event);
  const SharedEvents* shared = exported.pool()->shared();
  if (!exported.counter_flags().has_value() || shared == nullptr) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;  // made without kCounterIpc, or in a pool
  }
  *handle = IpcHandle::of(shared->pages(), IpcKind::CounterBasedEvent, *exported.counter_flags(), 0)
                .bytes<CounterBasedIpcHandle>();
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::event_counter_based_open_ipc_handle(ze_context_handle_t context,
                                                       CounterBasedIpcHandle bytes,
                                                       ze_event_handle_t* event) {
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto handle = IpcHandle::read(bytes, IpcKind::CounterBasedEvent);
    auto pages = handle ? handle->open() : nullptr;
    auto shared = pages != nullptr ? SharedEvents::open(std::move(pages)) : nullptr;
    if (shared == nullptr || shared->count() == 0) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const std::uint32_t flags = shared->flags() & ~SharedEvents::kCounterBased;
    auto pool = std::make_shared<EventPool>(object_of<Context>(context)->shared_from_this(), flags,
                                            1, true, std::move(shared));
    constexpr ze_event_scope_flags_t kScope = ZE_EVENT_SCOPE_FLAG_HOST;
    const ze_event_desc_t scopes{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, kScope, kScope};
    *event = publish<ze_event_handle_t>(
        std::make_shared<Event>(std::move(pool), scopes, handle->detail));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::event_counter_based_close_ipc_handle(ze_event_handle_t event) {
  return zeEventDestroy(event);
}

ze_result_t later::event_get_counter_based_flags(ze_event_handle_t event, std::uint32_t* flags) {
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (flags == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *flags = object_of<Event>(event)->counter_flags().value_or(0);
  return ZE_RESULT_SUCCESS;
}
