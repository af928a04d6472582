#include <level_zero/ze_api.h>

#include "driver/context.hpp"
#include "driver/event.hpp"
#include "driver/ipc_handle.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t zeEventPoolCreate(ze_context_handle_t hContext, const ze_event_pool_desc_t* desc,
                              uint32_t numDevices, ze_device_handle_t* phDevices,
                              ze_event_pool_handle_t* phEventPool) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (desc->count == 0 || (phDevices == nullptr && numDevices > 0)) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  bool counter_based = false;
  for_each_extension(desc->pNext, [&](const ExtensionHead& head) {
    counter_based |= head.stype == later::kCounterBasedEventPool;
  });
  return guarded([&] {
    std::unique_ptr<SharedEvents> shared;
    if ((desc->flags & ZE_EVENT_POOL_FLAG_IPC) != 0) {
      shared = SharedEvents::create(desc->count,
                                    desc->flags | (counter_based ? SharedEvents::kCounterBased : 0));
      if (shared == nullptr) {
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
      }
    }
    *phEventPool = publish<ze_event_pool_handle_t>(std::make_shared<EventPool>(
        object_of<Context>(hContext)->shared_from_this(), desc->flags, desc->count, counter_based,
        std::move(shared)));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolGetIpcHandle(ze_event_pool_handle_t hEventPool,
                                    ze_ipc_event_pool_handle_t* phIpc) {
  if (hEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phIpc == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const SharedEvents* shared = object_of<EventPool>(hEventPool)->shared();
  if (shared == nullptr) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;  // made without ZE_EVENT_POOL_FLAG_IPC
  }
  *phIpc = IpcHandle::of(shared->pages(), IpcKind::EventPool, 0, 0)
               .bytes<ze_ipc_event_pool_handle_t>();
  return ZE_RESULT_SUCCESS;
}

// The descriptor belongs to the pool, and is closed with it.
ze_result_t later::event_pool_put_ipc_handle(ze_context_handle_t context,
                                             ze_ipc_event_pool_handle_t handle) {
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return IpcHandle::read(handle, IpcKind::EventPool) ? ZE_RESULT_SUCCESS
                                                     : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeEventPoolOpenIpcHandle(ze_context_handle_t hContext,
                                     ze_ipc_event_pool_handle_t hIpc,
                                     ze_event_pool_handle_t* phEventPool) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto handle = IpcHandle::read(hIpc, IpcKind::EventPool);
    auto pages = handle ? handle->open() : nullptr;
    auto shared = pages != nullptr ? SharedEvents::open(std::move(pages)) : nullptr;
    if (shared == nullptr) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const std::uint32_t flags = shared->flags() & ~SharedEvents::kCounterBased;
    const bool counter_based = (shared->flags() & SharedEvents::kCounterBased) != 0;
    const std::uint32_t count = shared->count();
    *phEventPool = publish<ze_event_pool_handle_t>(
        std::make_shared<EventPool>(object_of<Context>(hContext)->shared_from_this(), flags, count,
                                    counter_based, std::move(shared)));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolCloseIpcHandle(ze_event_pool_handle_t hEventPool) {
  return zeEventPoolDestroy(hEventPool);
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t hEventPool) {
  if (hEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    withdraw(object_of<EventPool>(hEventPool));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::event_pool_get_context(ze_event_pool_handle_t pool,
                                          ze_context_handle_t* context) {
  if (pool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (context == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *context = object_of<EventPool>(pool)->context().handle();
  return ZE_RESULT_SUCCESS;
}

ze_result_t later::event_pool_get_flags(ze_event_pool_handle_t pool, ze_event_pool_flags_t* flags) {
  if (pool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (flags == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *flags = object_of<EventPool>(pool)->flags();
  return ZE_RESULT_SUCCESS;
}
