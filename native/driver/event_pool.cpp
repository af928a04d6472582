#include <level_zero/ze_api.h>

#include "driver/context.hpp"
#include "driver/event.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;

ze_result_t zeEventPoolCreate(ze_context_handle_t hContext, const ze_event_pool_desc_t* desc,
                              uint32_t /*numDevices: there is only one*/,
                              ze_device_handle_t* /*phDevices*/,
                              ze_event_pool_handle_t* phEventPool) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (desc->count == 0) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  bool counter_based = false;
  for_each_extension(desc->pNext, [&](const ExtensionHead& head) {
    counter_based |= head.stype == later::kCounterBasedEventPool;
  });
  return guarded([&] {
    *phEventPool = publish<ze_event_pool_handle_t>(std::make_shared<EventPool>(
        object_of<Context>(hContext)->shared_from_this(), desc->flags, desc->count,
        counter_based));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t hEventPool) {
  if (hEventPool == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<EventPool>(hEventPool));
  return ZE_RESULT_SUCCESS;
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
